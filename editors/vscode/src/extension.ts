// The extension starts prune-gen lsp and connects the editor with it. All that it says about manifests comes from there.
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, RevealOutputChannelOn } from "vscode-languageclient/node";

let output: vscode.LogOutputChannel;
// One server for each folder of the workspace: each has its own CRDs and prune-gen.yaml.
let clients: Client[] = [];
// What is started and stopped waits for what was before.
let turn: Promise<unknown> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
	output = vscode.window.createOutputChannel("prune-gen", { log: true });
	context.subscriptions.push(
		output,
		vscode.commands.registerCommand("prune-gen.output", () => output.show()),
		vscode.commands.registerCommand("prune-gen.restart", restart),
		vscode.workspace.onDidChangeWorkspaceFolders(restart),
		vscode.workspace.onDidGrantWorkspaceTrust(restart), // from now on, settings of the workspace count
		vscode.workspace.onDidChangeConfiguration((change) => {
			if (change.affectsConfiguration("prune-gen.path") || change.affectsConfiguration("prune-gen.args")) {
				return restart();
			}
		}),
	);
	await restart();
}

export function deactivate(): Promise<unknown> {
	return (turn = turn.then(stop));
}

function restart(): Promise<unknown> {
	return (turn = turn.then(stop).then(start));
}

async function stop(): Promise<void> {
	const last = clients;
	clients = [];
	// One that did not start, or has ended by itself, cannot be stopped.
	await Promise.all(last.map((client) => client.dispose().catch((err) => output.debug(String(err)))));
}

async function start(): Promise<void> {
	clients = (vscode.workspace.workspaceFolders ?? [undefined]).map((folder) => new Client(folder));
	await Promise.all(clients.map((client) => client.begin()));
}

class Client extends LanguageClient {
	readonly command: string;
	private begun = false;

	constructor(folder: vscode.WorkspaceFolder | undefined) {
		const settings = vscode.workspace.getConfiguration("prune-gen", folder);
		const command = program(settings.get("path", ""), folder?.uri.fsPath);
		const args = ["lsp", ...settings.get<string[]>("args", [])];
		const pattern = folder && { baseUri: folder.uri.toString(), pattern: "**/*" };
		super("prune-gen", "prune-gen", { command, args, options: { cwd: folder?.uri.fsPath } }, {
			workspaceFolder: folder,
			documentSelector: ["yaml", "json", "jsonc"].map((language) => ({ scheme: "file", language, ...(pattern && { pattern }) })),
			outputChannel: output,
			revealOutputChannelOn: RevealOutputChannelOn.Never,
			initializationFailedHandler: () => false, // do not try again
		});
		this.command = command;
		output.info([command, ...args].join(" "));
	}

	async begin(): Promise<void> {
		try {
			await this.start();
			this.begun = true;
		} catch (err) {
			output.error(String(err));
			void complain(this.command);
		}
	}

	// One message says that it does not start. Without this there are three.
	override error(message: string, data?: unknown, show?: boolean | "force"): void {
		super.error(message, data, this.begun && show);
	}
}

// program returns what to run: names are found on the PATH, relative paths below the folder.
function program(setting: string, folder: string | undefined): string {
	const name = setting || "prune-gen";
	return folder && path.basename(name) !== name ? path.resolve(folder, name) : name;
}

async function complain(command: string): Promise<void> {
	const install = "How to install it", set = "Set its path";
	const choice = await vscode.window.showErrorMessage(`prune-gen: cannot run ${command} lsp. The output says why.`, install, set);
	if (choice === install) {
		await vscode.env.openExternal(vscode.Uri.parse("https://github.com/prune-gen/prune-gen/blob/main/docs/install.md"));
	} else if (choice === set) {
		await vscode.commands.executeCommand("workbench.action.openSettings", "prune-gen.path");
	}
}
