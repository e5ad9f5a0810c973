-- How the pictures of the documentation look.
vim.o.termguicolors, vim.o.number, vim.o.signcolumn, vim.o.laststatus, vim.o.cmdheight = true, true, "no", 0, 1
vim.o.showmode, vim.o.ruler, vim.o.wrap, vim.o.completeopt, vim.o.pumheight, vim.o.shortmess = false, false, false, "menuone,noinsert", 12, "filnxtToOFIc"
for name, colours in pairs({
  Normal = { fg = "#e6edf3", bg = "#0d1117" }, NonText = { fg = "#0d1117" }, LineNr = { fg = "#6e7681" }, Comment = { fg = "#9198a1" },
  Identifier = { fg = "#79c0ff" }, String = { fg = "#a5d6ff" }, Constant = { fg = "#a5d6ff" }, Number = { fg = "#d2a8ff" }, Boolean = { fg = "#d2a8ff" },
  Type = { fg = "#79c0ff" }, Special = { fg = "#e6edf3" }, PreProc = { fg = "#d2a8ff" }, Pmenu = { fg = "#e6edf3", bg = "#21262d" },
  PmenuSel = { fg = "#ffffff", bg = "#1f6feb" }, PmenuSbar = { bg = "#21262d" }, PmenuThumb = { bg = "#484f58" }, NormalFloat = { fg = "#e6edf3", bg = "#21262d" },
  DiagnosticError = { fg = "#ff7b72" }, DiagnosticUnderlineError = { sp = "#ff7b72", underline = true }, DiagnosticWarn = { fg = "#e3b341" },
  DiagnosticUnderlineWarn = { sp = "#e3b341", underline = true }, Title = { fg = "#79c0ff" }, Statement = { fg = "#79c0ff" },
}) do vim.api.nvim_set_hl(0, name, colours) end
vim.diagnostic.config({ update_in_insert = true })
vim.o.hlsearch = false
vim.keymap.set("n", "K", vim.lsp.buf.hover)
