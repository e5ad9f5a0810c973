// Package editors tests prune-gen lsp in Neovim and with the client of the extension for Visual Studio Code, and compares it with
// yaml-language-server.
package editors
