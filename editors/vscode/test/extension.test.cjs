// The bundled extension, with a stand-in for the editor, and prune-gen itself: PRUNE_GEN names it.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");
const editor = require("./vscode.cjs");

const operator = path.join(__dirname, "../../../examples/operator/config");
const sample = fs.readFileSync(path.join(operator, "samples/crontab.yaml"), "utf8");

// load loads the extension with a stand-in for the module that the editor gives it.
function load(stand) {
	const main = require.resolve("../dist/extension.js");
	delete require.cache[main];
	const resolve = Module._load;
	Module._load = (name, ...others) => (name === "vscode" ? stand.vscode : resolve(name, ...others));
	try {
		return require(main);
	} finally {
		Module._load = resolve;
	}
}

test("diagnostics, providers, restart and settings", async (t) => {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), "prune-gen-"));
	const settings = { path: process.env.PRUNE_GEN, args: [`--crd=${path.join(operator, "crd/bases")}`] };
	const stand = editor(folder, settings);
	const document = stand.open(path.join(folder, "crontab.yaml"), sample);
	const extension = load(stand), subscriptions = [];
	t.after(extension.deactivate); // a server that goes on would keep the test from ending
	await extension.activate({ subscriptions });
	assert.deepEqual(stand.errors, [], stand.log.join("\n"));

	const mistakes = await stand.said(document, (found) => found.length > 0);
	const schedule = mistakes.find((d) => d.message.includes("spec.cronSpec"));
	assert.deepEqual(schedule.range.start, new stand.vscode.Position(8, 2));
	assert.equal(schedule.severity, 0);

	await stand.change(document, sample.split("spec:")[0].replace(/  label:[^]*/, "") + "spec:\n  cronSpec: 0 3 * * *\n  image: a\n");
	await stand.said(document, (found) => found.length === 0);
	await stand.change(document, sample);
	await stand.said(document, (found) => found.length === mistakes.length);
	for (const kind of ["Hover", "CompletionItem", "CodeActions", "Definition"]) {
		assert.ok(stand.providers.has(kind), `there is no provider of ${kind}`);
	}

	await stand.commands.get("prune-gen.restart")();
	await stand.said(document, (found) => found.length === mistakes.length);
	settings.args = [];
	await stand.configure(); // and then the CRD is unknown
	await stand.said(document, (found) => found.length === 0);
	await extension.deactivate();
	subscriptions.forEach((s) => s.dispose());
	assert.equal(stand.commands.size, 0);
	fs.rmSync(folder, { recursive: true });
});

test("a program that does not exist", async (t) => {
	const stand = editor(os.tmpdir(), { path: "bin/no-such-program" });
	const extension = load(stand);
	t.after(extension.deactivate);
	await extension.activate({ subscriptions: [] });
	assert.match(stand.errors.join(), /cannot run .*\/bin\/no-such-program lsp/);
});
