// A stand-in for the module that Visual Studio Code gives to extensions: documents, diagnostics and settings work, and all else is there but
// does nothing.
"use strict";
const { pathToFileURL, fileURLToPath } = require("node:url");

class Uri {
	static file(file) { return new Uri(pathToFileURL(file).href); }
	static parse(text) { return new Uri(text); }
	constructor(text) { this.text = text; this.scheme = text.split(":")[0]; }
	get fsPath() { return fileURLToPath(this.text); }
	get path() { return new URL(this.text).pathname; }
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
class Disposable {
	static from(...all) { return new Disposable(() => all.forEach((d) => d.dispose())); }
	constructor(dispose) { this.dispose = dispose; }
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
	const opened = new EventEmitter(), changed = new EventEmitter(), closed = new EventEmitter(), configured = new EventEmitter();
	const diagnostics = new Map(), published = new EventEmitter(), commands = new Map(), errors = [], log = [], providers = new Map(), documents = [];
	const provider = (kind) => (selector, p) => { providers.set(kind, p); return { dispose: () => providers.delete(kind) }; };
	const channel = rest({ name: "prune-gen", logLevel: 1, ...Object.fromEntries(["info", "warn", "error", "debug", "trace", "append", "appendLine"].map((how) => [how, (text) => log.push(text)])) });
	const collection = {
		name: "prune-gen", set: (uri, found) => { diagnostics.set(uri.toString(), found); published.fire(); }, get: (uri) => diagnostics.get(uri.toString()),
		has: (uri) => diagnostics.has(uri.toString()), delete: (uri) => diagnostics.delete(uri.toString()), clear: () => diagnostics.clear(), forEach() {}, dispose: () => diagnostics.clear(),
	};
	const vscode = rest({
		Uri, Position, Range, Diagnostic, EventEmitter, Disposable, version: "1.91.0",
		DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 }, LogLevel: { Off: 0, Trace: 1 },
		CancellationTokenSource: class { token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter().event }; cancel() {} dispose() {} },
		CodeActionKind: rest({ Empty: { append() { return this; } } }),
		env: rest({ appName: "stand-in", language: "en" }), l10n: rest({ t: (text) => text }), extensions: rest({ all: [] }),
		commands: rest({ registerCommand: (name, f) => { commands.set(name, f); return { dispose: () => commands.delete(name) }; } }),
		window: rest({
			createOutputChannel: () => channel, showErrorMessage: async (text) => { errors.push(text); }, visibleTextEditors: [], tabGroups: rest({ all: [] }),
		}),
		languages: rest({
			createDiagnosticCollection: () => collection, match: () => 1,
			registerHoverProvider: provider("hover"), registerCompletionItemProvider: provider("completion"), registerCodeActionsProvider: provider("code actions"),
		}),
		workspace: rest({
			textDocuments: documents, notebookDocuments: [], workspaceFolders: [{ uri: Uri.file(folder), name: "workspace", index: 0 }], isTrusted: true,
			getWorkspaceFolder: () => vscode.workspace.workspaceFolders[0], fs: rest({}),
			getConfiguration: () => ({ get: (name, otherwise) => settings[name] ?? otherwise, has: (name) => name in settings, inspect: () => undefined }),
			onDidOpenTextDocument: opened.event, onDidChangeTextDocument: changed.event, onDidCloseTextDocument: closed.event, onDidChangeConfiguration: configured.event,
		}),
	});
	return {
		vscode, errors, log, commands, providers,
		open(file, text) {
			const document = rest({ uri: Uri.file(file), languageId: "yaml", version: 1, fileName: file, isClosed: false, getText: () => text });
			documents.push(document);
			opened.fire(document);
			return document;
		},
		change(document, text) {
			const range = new Range(0, 0, 1e6, 0);
			document.getText = () => text;
			document.version++;
			return changed.fire({ document, contentChanges: [{ range, rangeOffset: 0, rangeLength: 1e6, text }], reason: undefined });
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
