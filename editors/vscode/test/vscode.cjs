// A stand-in for the module that Visual Studio Code gives to extensions: documents, diagnostics and settings work, and all else is there but
// does nothing.
"use strict";
const { pathToFileURL, fileURLToPath } = require("node:url");

class Uri {
	static file(file) { return new Uri(pathToFileURL(file).href); }
	static parse(text) { return new Uri(text); }
	constructor(text) { Object.assign(this, { text, scheme: text.split(":")[0] }); }
	get fsPath() { return fileURLToPath(this.text); }
	toString() { return this.text; }
}
class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range {
	constructor(start, end, line, character) {
		[this.start, this.end] = start instanceof Position ? [start, end] : [new Position(start, end), new Position(line, character)];
	}
}
class Diagnostic { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } }
class EventEmitter {
	listeners = new Set();
	event = (listener, self) => { const l = listener.bind(self); this.listeners.add(l); return { dispose: () => this.listeners.delete(l) }; };
	fire(value) { return Promise.all([...this.listeners].map((listener) => listener(value))); }
	dispose() { this.listeners.clear(); }
}

// rest returns an object with some members. Others are made up when they are asked for, by their names: events, classes and functions.
function rest(members) {
	return new Proxy(members, {
		get(target, name) {
			if (!(name in target) && typeof name === "string" && name !== "then") {
				target[name] = /^on(Did|Will)/.test(name) ? new EventEmitter().event
					: /^[A-Z]/.test(name) ? class { constructor(...args) { Object.assign(this, { args }); } }
					: () => ({ dispose() {} });
			}
			return target[name];
		},
	});
}

// editor returns a stand-in, and what a test does with it.
module.exports = function editor(folder, settings) {
	const opened = new EventEmitter(), changed = new EventEmitter(), configured = new EventEmitter(), documents = [];
	const diagnostics = new Map(), commands = new Map(), providers = new Map(), errors = [], log = [];
	const register = (all, name, value) => { all.set(name, value); return { dispose: () => all.delete(name) }; };
	const channel = rest(Object.fromEntries(["info", "warn", "error", "debug", "trace", "append", "appendLine"].map((how) => [how, (text) => log.push(text)])));
	const vscode = rest({
		Uri, Position, Range, Diagnostic, EventEmitter, version: "1.91.0",
		DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 }, LogLevel: { Off: 0, Trace: 1 },
		CancellationTokenSource: class { token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter().event }; cancel() {} dispose() {} },
		CodeActionKind: rest({ Empty: { append() { return this; } } }),
		commands: rest({ registerCommand: (name, f) => register(commands, name, f) }),
		window: rest({ createOutputChannel: () => channel, showErrorMessage: async (text) => { errors.push(text); }, visibleTextEditors: [], tabGroups: rest({ all: [] }) }),
		languages: rest({
			createDiagnosticCollection: () => rest({ set: (uri, found) => diagnostics.set(uri.toString(), found), clear: () => diagnostics.clear(), dispose: () => diagnostics.clear() }),
			match: () => 1,
			...Object.fromEntries(["Hover", "CompletionItem", "CodeActions", "Definition"].map((kind) => [`register${kind}Provider`, (_, p) => register(providers, kind, p)])),
		}),
		workspace: rest({
			textDocuments: documents, notebookDocuments: [], workspaceFolders: [{ uri: Uri.file(folder), name: "workspace", index: 0 }],
			getConfiguration: () => ({ get: (name, otherwise) => settings[name] ?? otherwise }),
			onDidOpenTextDocument: opened.event, onDidChangeTextDocument: changed.event, onDidChangeConfiguration: configured.event,
		}),
	});
	return {
		vscode, errors, log, commands, providers,
		open(file, text) {
			const document = { uri: Uri.file(file), languageId: "yaml", version: 1, fileName: file, getText: () => text };
			documents.push(document);
			return document;
		},
		change(document, text) {
			document.getText = () => text;
			document.version++;
			return changed.fire({ document, contentChanges: [{ range: new Range(0, 0, 1e6, 0), rangeOffset: 0, rangeLength: 1e6, text }] });
		},
		configure: () => configured.fire({ affectsConfiguration: () => true }),
		// said waits until what is said about a document is as wanted.
		async said(document, wanted) {
			for (const end = Date.now() + 30_000; Date.now() < end; await new Promise((wake) => setTimeout(wake, 10))) {
				const found = diagnostics.get(document.uri.toString());
				if (found && wanted(found)) {
					return found;
				}
			}
			throw new Error(`the diagnostics are ${JSON.stringify(diagnostics.get(document.uri.toString()))}; ${log.join("\n")}`);
		},
	};
};
