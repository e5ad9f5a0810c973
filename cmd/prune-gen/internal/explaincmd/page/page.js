"use strict";
(async () => {
  const $ = (id) => document.getElementById(id);
  // unpack returns the text or the program that an element has, compressed, in ascii85 with v for <.
  const unpack = async (id) => {
    const text = $(id).textContent, bytes = new Uint8Array(4 * text.length);
    let size = 0, value = 0, digits = 0;
    const write = (n) => { for (let i = 0; i < n; i++) bytes[size++] = value >>> (24 - 8 * i); value = digits = 0; };
    for (let i = 0; i < text.length; i++) {
      const c = text[i];
      if (c === "z") { write(4); continue; }
      value = 85 * value + (c === "v" ? "<" : c).charCodeAt(0) - 33;
      if (++digits === 5) write(4);
    }
    if (digits > 0) {
      const left = digits - 1;
      for (; digits < 5; digits++) value = 85 * value + 84;
      write(left);
    }
    return new Response(new Blob([bytes.subarray(0, size)]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  };
  const unpackText = async (id) => new TextDecoder().decode(await unpack(id));
  const kinds = JSON.parse(await unpackText("data"));
  // make returns an element with text in it. Nothing is ever parsed as HTML.
  const make = (tag, cls, text) => {
    const e = document.createElement(tag);
    if (cls) e.className = cls;
    if (text !== undefined) e.textContent = text;
    return e;
  };

  // The theme: that of the system until somebody chooses another.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const remember = (key, value) => { try { localStorage.removeItem(key); if (value) localStorage.setItem(key, value); } catch { /* files may have no storage */ } };
  const remembered = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const icons = {
    system: "M4 5h16v11H4zM9 20h6M12 16v4",
    light: "M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5",
    dark: "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.500 10.500z",
  };
  let theme = remembered("prune-gen-theme") || "system";
  const showTheme = () => {
    document.documentElement.dataset.theme = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    svg.setAttribute("viewBox", "0 0 24 24");
    path.setAttribute("d", icons[theme]);
    svg.append(path);
    $("theme").replaceChildren(svg);
    $("theme").setAttribute("aria-label", "Theme: " + theme);
  };
  const nextTheme = () => {
    const all = dark.matches ? ["system", "light", "dark"] : ["system", "dark", "light"];
    theme = all[(all.indexOf(theme) + 1) % all.length];
    remember("prune-gen-theme", theme === "system" ? "" : theme);
    showTheme();
  };
  dark.addEventListener("change", showTheme);
  $("theme").addEventListener("click", nextTheme);
  showTheme();

  // The head. The end of the address says what is shown, so that it is shown again.
  let kind, version;
  const choose = (crd, name) => {
    kind = kinds.find((k) => k.crd === crd) || kinds[0];
    version = kind.versions.find((v) => v.name === name) || kind.versions.find((v) => v.name === kind.chosen);
    $("kind").textContent = kind.kind;
    $("crd").textContent = kind.crd;
    $("kinds").value = kinds.indexOf(kind);
    $("version").replaceChildren(...kind.versions.map((v) => new Option(v.name, v.name, false, v === version)));
    $("version").disabled = kind.versions.length < 2;
  };
  kinds.forEach((k, i) => $("kinds").append(new Option(kinds.some((o) => o !== k && o.kind === k.kind) ? k.kind + " (" + k.group + ")" : k.kind, i)));
  $("kind").hidden = kinds.length > 1;
  $("kinds").hidden = kinds.length < 2;
  try { choose(...location.hash.slice(1).split("/").map(decodeURIComponent)); } catch { choose(); }

  // The tree. Rows are made when they are first shown: a schema can have thousands of fields.
  const tree = $("tree");
  let rows = new Map(), opened = new Set(), selected = null, found = null;
  const count = (n) => (n.total ??= (n.fields || []).reduce((all, f) => all + 1 + count(f), 0));
  const parents = new Map();
  const link = (n) => { for (const f of n.fields || []) { parents.set(f, n); link(f); } };

  const marked = (into, text) => {
    const word = found && found.word, at = word ? text.toLowerCase().indexOf(word) : -1;
    if (at < 0) { into.textContent = text; return; }
    into.replaceChildren(text.slice(0, at), make("mark", "", text.slice(at, at + word.length)), text.slice(at + word.length));
  };
  const shown = (n) => (n.fields || []).filter((f) => !found || found.keep.has(f));
  const row = (n, depth) => {
    const r = make("div", "node");
    r.setAttribute("role", "treeitem");
    r.setAttribute("aria-level", depth + 1);
    r.style.paddingLeft = 29 + depth * 16 + "px";
    const kids = shown(n);
    r.append(make("span", "twist", kids.length ? "▶" : ""));
    if (kids.length) r.setAttribute("aria-expanded", opened.has(n));
    const name = make("span", "name"), type = make("span", "type");
    marked(name, n.name === "" ? '""' : n.name);
    marked(type, n.type);
    r.append(name, type);
    for (const f of n.facts || []) {
      const chip = make("span", "chip " + f.kind, f.text);
      chip.title = f.text;
      r.append(chip);
    }
    if (n.rules) r.append(make("span", "chip rule", n.rules.length === 1 ? "1 rule" : n.rules.length + " rules"));
    if (kids.length && !opened.has(n)) r.append(make("span", "count", count(n)));
    r.setAttribute("aria-selected", n === selected);
    r.addEventListener("click", () => { select(n); if (kids.length) toggle(n); });
    rows.set(n, r);
    return r;
  };
  const draw = () => {
    rows = new Map();
    const out = document.createDocumentFragment();
    const walk = (n, depth) => {
      for (const f of shown(n)) {
        out.append(row(f, depth));
        if (opened.has(f)) walk(f, depth + 1);
      }
    };
    walk(version.tree, 0);
    if (found && !found.hits) out.append(make("p", "none", "No field has that in its name, type or description."));
    if (found && found.hits > found.most) out.append(make("p", "more", "The first " + found.most + " of " + found.hits + " fields are shown."));
    tree.replaceChildren(out);
  };
  const toggle = (n, open = !opened.has(n)) => { open ? opened.add(n) : opened.delete(n); const top = tree.scrollTop; draw(); tree.scrollTop = top; reveal(n); };
  const reveal = (n) => rows.get(n)?.scrollIntoView({ block: "nearest" });
  const select = (n) => {
    rows.get(selected)?.setAttribute("aria-selected", "false");
    selected = n;
    rows.get(n)?.setAttribute("aria-selected", "true");
    showDetail(n);
  };
  const showDetail = (n) => {
    const d = $("detail");
    d.replaceChildren();
    if (!n) return;
    const h = make("h2", "", n.path + " ");
    h.append(make("span", "", n.type));
    d.append(h);
    if (n.facts) {
      const ul = make("ul");
      for (const f of n.facts) ul.append(make("li", "", f.text));
      d.append(ul);
    }
    for (const r of n.rules || []) {
      const p = make("p");
      p.append(make("code", "", r.rule));
      if (r.message) p.append(make("span", "", "\n" + r.message));
      d.append(p);
    }
    if (n.description) d.append(make("p", "", n.description));
  };
  const show = (path) => {
    let n = version.tree;
    for (;;) {
      const next = (n.fields || []).find((f) => path === f.path || path.startsWith(f.path + ".") || path.startsWith(f.path + "["));
      if (!next) break;
      opened.add(n = next);
      if (path === n.path) break;
    }
    if (n === version.tree) return;
    draw();
    select(n);
    reveal(n);
  };
  tree.addEventListener("keydown", (e) => {
    const list = [...rows.keys()], i = list.indexOf(selected);
    const go = (n) => { if (n) { select(n); reveal(n); } };
    switch (e.key) {
      case "ArrowDown": go(list[i + 1] || list[i] || list[0]); break;
      case "ArrowUp": go(list[Math.max(0, i - 1)]); break;
      case "Home": go(list[0]); break;
      case "End": go(list[list.length - 1]); break;
      case "ArrowRight": if (selected?.fields) opened.has(selected) ? go(list[i + 1]) : toggle(selected, true); break;
      case "ArrowLeft": if (selected && opened.has(selected)) toggle(selected, false); else if (parents.get(selected) !== version.tree) go(parents.get(selected)); break;
      case "Enter": case " ": if (selected?.fields) toggle(selected); break;
      default: return;
    }
    e.preventDefault();
  });
  const search = (word) => {
    word = word.trim().toLowerCase();
    found = null;
    if (word) {
      const most = 400;
      found = { word, keep: new Set(), hits: 0, most };
      const before = opened;
      opened = new Set();
      const walk = (n) => {
        for (const f of n.fields || []) {
          const is = f.name.toLowerCase().includes(word) || f.type.toLowerCase().includes(word) || f.path.toLowerCase() === word || (f.description || "").toLowerCase().includes(word);
          if (is && ++found.hits <= most) for (let p = f; p && p !== version.tree; p = parents.get(p)) { found.keep.add(p); if (p !== f) opened.add(p); }
          walk(f);
        }
      };
      walk(version.tree);
      found.before = before;
    }
    draw();
  };
  let beforeSearch = null;
  $("search").addEventListener("input", (e) => {
    if (!beforeSearch) beforeSearch = opened;
    search(e.target.value);
    if (!found) { opened = beforeSearch; beforeSearch = null; draw(); if (selected) reveal(selected); }
  });
  $("search").addEventListener("keydown", (e) => { if (e.key === "ArrowDown" || e.key === "Enter") { tree.focus(); const first = [...rows.keys()].find((n) => n.name.toLowerCase().includes(found?.word || "")) || [...rows.keys()][0]; if (first) { select(first); reveal(first); } e.preventDefault(); } });
  $("fold").addEventListener("click", () => { opened = new Set(); draw(); });

  const showVersion = () => {
    $("traits").textContent = version.traits.join(" · ");
    const say = $("say");
    if (version.pruned && (version.tree.facts || []).some((f) => f.kind === "keeps")) {
      say.replaceChildren("Unknown fields are ", make("b", "keeps", "kept"), ", except in metadata and below a place that ", make("b", "dropped", "drops"), " them again.");
    } else if (version.pruned) say.replaceChildren("Unknown fields are ", make("b", "dropped", "dropped"), ", except below a place that ", make("b", "keeps", "keeps"), " them.");
    else say.replaceChildren("Unknown fields are ", make("b", "keeps", "kept"), ", except in metadata.");
    $("search").value = "";
    found = beforeSearch = null;
    parents.clear();
    link(version.tree);
    opened = new Set();
    selected = null;
    // The spec, and of the rest as much as fits: small subtrees first, level by level.
    for (const f of version.tree.fields || []) if (f.name === "spec") opened.add(f);
    let room = 40;
    for (let level = version.tree.fields || []; level.length;) {
      const next = [];
      for (const f of [...level].sort((a, b) => (a.fields || []).length - (b.fields || []).length)) {
        const size = (f.fields || []).length;
        if (size && (opened.has(f) || size <= room)) { room -= size; opened.add(f); next.push(...f.fields); }
      }
      level = next;
    }
    draw();
    showDetail(null);
  };
  showVersion();

  // The editor: a transparent text area above lines that are painted.
  const text = $("text"), paint = $("paint"), gutter = $("gutter");
  const names = { dropped: "dropped", filled: "filled in", changed: "changed", refused: "refused", unknown: "not known", unreadable: "unreadable" };
  const rank = { unreadable: 5, refused: 4, unknown: 4, dropped: 3, changed: 2, filled: 1 };
  // Lines end as they do for the engine; a text area has made \n of \r\n already.
  const lines = () => text.value.split(/\r\n|[\n\r\u0085\u2028\u2029]/);
  const colour = (into, line) => {
    const m = /^(\s*(?:- +)*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#:"'{[][^:#]*?)(\s*:)(?=\s|$)(.*)$/.exec(line);
    const value = (s) => {
      const c = /^(.*?)((?:^|\s)#.*)$/.exec(s);
      const head = c && !/["']/.test(c[1]) ? c[1] : s;
      const bare = head.trimEnd(); // what is struck out ends with the text
      if (bare) into.append(make("span", /^\s*["'|>]/.test(head) ? "t str" : "t", bare));
      if (bare !== head) into.append(head.slice(bare.length));
      if (head !== s) into.append(make("span", "com", c[2]));
    };
    if (!m) { value(line); return; }
    into.append(make("span", "", m[1]), make("span", "t key", m[2]), make("span", "t", m[3]));
    value(m[4]);
  };
  // underline marks a key or value in the middle of a line.
  const underline = (into, line, from, cls) => {
    const chars = [...line], token = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,:}\]]+)?/.exec(chars.slice(from).join(""))[0] || chars[from] || " ";
    const end = from + [...token].length;
    into.replaceChildren();
    colour(into, chars.slice(0, from).join(""));
    into.append(make("u", cls, token));
    into.append(make("span", "t", chars.slice(end).join("")));
  };
  let result = { marks: [], objects: [] };
  const repaint = () => {
    const all = lines(), byLine = new Map();
    for (const m of result.marks) {
      for (let l = m.line; l <= (m.kind === "dropped" ? m.endLine || m.line : m.line); l++) {
        if (!byLine.has(l)) byLine.set(l, []);
        byLine.get(l).push(m);
      }
    }
    const code = document.createDocumentFragment(), numbers = document.createDocumentFragment();
    all.forEach((line, i) => {
      const marks = byLine.get(i + 1) || [], div = make("div"), number = make("div", "", i + 1);
      colour(div, line);
      const indent = [.../^\s*(?:- +)*/.exec(line)[0]].length;
      const isWhole = (m) => m.line < i + 1 || m.column - 1 <= indent;
      const dropped = marks.filter((m) => m.kind === "dropped"), refused = marks.filter((m) => rank[m.kind] >= 4), changed = marks.filter((m) => m.kind === "changed");
      if (dropped.some(isWhole)) div.className = "line-dropped";
      else if (refused.length) { div.className = "line-refused"; underline(div, line, refused[0].column - 1, ""); }
      else if (changed.length) div.className = "line-changed";
      if (!dropped.some(isWhole) && dropped.length && !refused.length) underline(div, line, dropped[0].column - 1, "dropped");
      if (refused.length && !dropped.some(isWhole)) div.title = refused.map((m) => m.message).join("\n");
      for (const m of changed) div.append(make("span", "ghost changed", "→ " + m.text));
      const filled = marks.filter((m) => m.kind === "filled");
      for (const m of filled.slice(0, 4)) div.append(make("span", "ghost", "+ " + (m.text.length > 60 ? m.text.slice(0, 58) + "…" : m.text)));
      if (filled.length > 4) div.append(make("span", "ghost", "+ " + (filled.length - 4) + " more"));
      if (!div.firstChild) div.append("\u200b");
      const worst = marks.reduce((a, m) => (rank[m.kind] > (rank[a] || 0) ? m.kind : a), "");
      if (worst) number.className = worst;
      code.append(div);
      numbers.append(number);
    });
    paint.replaceChildren(code);
    gutter.replaceChildren(numbers);
  };
  const plural = (n, one, many = one + "s") => n + " " + (n === 1 ? one : many);
  const showVerdict = () => {
    const v = $("verdict"), n = (k) => result.marks.filter((m) => m.kind === k).length;
    const known = result.objects.filter((o) => o.known), refused = known.filter((o) => !o.accepted);
    const bits = ["refused", "dropped", "changed", "filled"].filter((k) => n(k) && (k !== "dropped" || refused.length)).map((k) => n(k) + " " + names[k]);
    if (known.some((o) => o.update)) bits.unshift(known.length > 1 ? plural(known.filter((o) => o.update).length, "update") : "update of an old object");
    let cls = "ok", word = known.length > 1 ? plural(known.length, "object") + " accepted" : "Accepted";
    if (n("dropped")) [cls, word] = ["lossy", word + ", " + plural(n("dropped"), "field") + " dropped"];
    if (n("unreadable")) [cls, word] = ["bad", "Not a manifest"];
    else if (refused.length) [cls, word] = ["bad", known.length > 1 ? plural(refused.length, "object") + " of " + known.length + " refused" : "Refused"];
    else if (!result.objects.length) [cls, word] = ["", "Paste or drop a manifest"];
    else if (!known.length) [cls, word] = ["other", "Of another kind"];
    v.className = "verdict " + cls;
    v.replaceChildren(make("span", "dot"), make("span", "", word), make("small", "", bits.join(" · ")));
    $("unused").replaceChildren(...(result.old || []).map((why) => make("p", "", why)));
  };
  const goTo = (line, column) => {
    const all = lines();
    let at = Math.max(0, column - 1);
    for (let i = 0; i < line - 1 && i < all.length; i++) at += all[i].length + 1;
    text.focus();
    text.setSelectionRange(at, at);
    const editor = $("editor"), height = 21;
    editor.scrollTo({ top: Math.max(0, (line - 1) * height - editor.clientHeight / 3), left: 0 });
  };
  const kindOf = (o) => kinds.find((k) => k.kind === o.kind && o.apiVersion.startsWith(k.group + "/"));
  // isShown reports whether a mark is in an object of the kind that is shown.
  const isShown = (m) => {
    const o = result.objects.findLast((o) => o.line <= m.line);
    return o && kindOf(o) === kind;
  };
  // follow shows the kind and the version of the first object, unless one of the objects has those that are shown.
  const follow = () => {
    const all = [];
    for (const o of result.objects) {
      const k = kindOf(o), v = k?.versions.find((v) => o.apiVersion === k.group + "/" + v.name);
      if (v) all.push({ k, v });
    }
    if (all.length && !all.some(({ k, v }) => k === kind && v === version)) display(all[0].k.crd, all[0].v.name);
  };
  const copy = async (button, value) => {
    try { await navigator.clipboard.writeText(value); } catch {
      const t = make("textarea", "unseen");
      t.value = value;
      button.after(t);
      t.select();
      document.execCommand("copy");
      t.remove();
      button.focus();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  };
  const showMarks = () => {
    const out = document.createDocumentFragment();
    const most = 500;
    for (const m of result.marks.slice(0, most)) {
      const b = make("button", "mark " + m.kind), words = make("span");
      b.type = "button";
      if (m.path) words.append(make("span", "path", m.path + " "));
      words.append(make("span", "words", m.kind === "filled" ? m.text.slice(m.text.indexOf(":") + 1).trim() : m.message));
      for (const c of m.causes || []) words.append(make("span", "words more", c));
      if (m.hint) words.append(make("span", "words hint", m.hint));
      b.append(make("span", "at", m.line), make("span", "how", names[m.kind]), words);
      b.addEventListener("click", () => { goTo(m.line, m.column); if (m.path && isShown(m)) show(m.path.replace(/\[\d+\]/g, "[]")); });
      out.append(b);
    }
    for (const o of result.objects) for (const w of o.warnings || []) out.append(make("p", "none", "Warning: " + w));
    if (!out.childNodes.length) out.append(make("p", "none", result.objects.length ? "Nothing: the object is stored as it is." : "Here is what the API server would do to each line."));
    if (result.marks.length > most) out.append(make("p", "none", "and " + (result.marks.length - most) + " more"));
    $("marks").replaceChildren(out);
    const stored = document.createDocumentFragment();
    for (const o of result.objects) {
      if (!o.stored) continue;
      const box = make("div", "object");
      if (result.objects.length > 1 || !o.accepted) box.append(make("h3", "", (result.objects.length > 1 ? o.kind + " " + o.name : "") + (o.accepted ? "" : " Refused. This is what was validated.")));
      for (const l of o.stored) box.append(make("div", l.kind || "", l.text));
      stored.append(box);
    }
    if (stored.childNodes.length) {
      const b = make("button", "copy", "Copy");
      b.type = "button";
      b.title = "Copy what is stored";
      b.addEventListener("click", () => copy(b, result.objects.filter((o) => o.stored).map((o) => o.stored.map((l) => l.text + "\n").join("")).join("---\n")));
      stored.prepend(b);
    } else stored.append(make("p", "none", "Nothing is stored."));
    $("stored").replaceChildren(stored);
  };

  // The engine.
  let running = false, timer = 0;
  const old = $("old");
  const ask = () => {
    if (!running) return;
    const answer = JSON.parse(globalThis.pruneGenMarks(text.value, old.value));
    if (answer.error) { broken(answer.error); return; }
    result = answer;
    repaint();
    showVerdict();
    showMarks();
    document.documentElement.dataset.engine = "ready";
  };
  const broken = (why) => {
    document.documentElement.dataset.engine = "broken";
    $("verdict").className = "verdict bad";
    $("verdict").replaceChildren(make("span", "dot"), make("span", "", "The engine does not run"), make("small", "", why));
  };

  // What is typed is kept for each version, in this page and, if the browser allows it, for the next time.
  const drafts = new Map();
  const draftKey = () => "prune-gen:" + kind.crd + "/" + version.name;
  const keep = () => {
    const is = text.value === version.example && !old.value ? "" : JSON.stringify([text.value, old.value]);
    drafts.set(draftKey(), is);
    remember(draftKey(), is);
  };
  const draft = () => {
    try { return JSON.parse(drafts.get(draftKey()) ?? remembered(draftKey())) || [version.example, ""]; } catch { return [version.example, ""]; }
  };
  const changed = () => {
    // Marks move with their lines until the engine has answered.
    repaint();
    clearTimeout(timer);
    timer = setTimeout(() => { try { ask(); follow(); } finally { keep(); } }, text.value.length > 200000 ? 400 : 40);
  };
  const openOld = (open) => { $("before").hidden = !open; $("update").setAttribute("aria-expanded", open); };
  // write replaces what is in a text area so that it can be undone, unless that takes long.
  const write = (area, value) => {
    const focus = document.activeElement;
    area.focus();
    area.select();
    if (area.value !== value && (value.length > 200000 || !document.execCommand(value ? "insertText" : "delete", false, value))) area.value = value;
    focus.focus();
  };
  const put = (value) => {
    result = { marks: [], objects: [] };
    write(text, value);
    text.setSelectionRange(0, 0);
    $("editor").scrollTo(0, 0);
    changed();
  };
  const restore = () => {
    result = { marks: [], objects: [] };
    [text.value, old.value] = draft();
    openOld(old.value !== "");
    $("editor").scrollTo(0, 0);
    repaint();
    clearTimeout(timer);
    ask();
  };

  // Proposals: a list below the caret. It opens by Ctrl-Space, and by itself while a word is typed.
  const list = $("proposals");
  let proposals = [], active = -1, picking = false;
  const closeList = () => {
    proposals = [];
    list.hidden = true;
    text.removeAttribute("aria-activedescendant");
  };
  const activate = (i) => {
    active = (i + proposals.length) % proposals.length;
    [...list.children].forEach((o, j) => o.setAttribute("aria-selected", j === active));
    const o = list.children[active];
    list.scrollTop = Math.min(o.offsetTop, Math.max(list.scrollTop, o.offsetTop + o.offsetHeight - list.clientHeight));
    text.setAttribute("aria-activedescendant", o.id);
  };
  const openList = (typing) => {
    closeList();
    const at = text.selectionStart, head = text.value.slice(0, at);
    if (!running || at !== text.selectionEnd || typing && text.value.length > 200000) return;
    const all = JSON.parse(globalThis.pruneGenComplete(head, text.value.slice(at))).proposals || [];
    const typed = all.length ? head.slice(at - all[0].before) : "";
    if (!all.length || typing && (!typed || all.length === 1 && all[0].label === typed)) return;
    proposals = all;
    list.replaceChildren(...all.map((p, i) => {
      const o = make("div"), name = make("span", (p.required ? "required" : "") + (p.deprecated ? " deprecated" : ""), p.label);
      o.id = "proposal-" + i;
      o.setAttribute("role", "option");
      o.append(name, make("small", "", (p.detail || "") + (p.required ? " required" : "")));
      o.addEventListener("mousedown", (e) => { e.preventDefault(); pick(i); });
      return o;
    }));
    const rule = make("span", "", "0".repeat(100)), editor = $("editor"), height = 21, line = head.split("\n").length;
    paint.append(rule);
    const width = rule.getBoundingClientRect().width / 100;
    rule.remove();
    const start = head.slice(head.lastIndexOf("\n") + 1, at - all[0].before).replaceAll("\t", "    ");
    list.hidden = false;
    const below = 8 + line * height, above = below - height - list.offsetHeight;
    list.style.left = 12 + start.length * width + "px";
    list.style.top = (below + list.offsetHeight > editor.scrollTop + editor.clientHeight && above > editor.scrollTop ? above : below) + "px";
    activate(0);
  };
  const pick = (i) => {
    const p = proposals[i], from = text.selectionStart - p.before, hole = p.text.indexOf('""');
    closeList();
    picking = true;
    text.focus();
    text.setSelectionRange(from, text.selectionStart + p.after);
    if (!document.execCommand("insertText", false, p.text)) { text.setRangeText(p.text); changed(); }
    picking = false;
    text.setSelectionRange(from + (hole < 0 ? p.text.length : hole + 1), from + (hole < 0 ? p.text.length : hole + 1));
  };
  text.addEventListener("keydown", (e) => {
    const keys = { ArrowDown: () => activate(active + 1), ArrowUp: () => activate(active - 1), Enter: () => pick(active), Tab: () => pick(active), Escape: closeList };
    let act = proposals.length && !e.shiftKey && !e.ctrlKey && !e.altKey && !e.metaKey && !e.isComposing ? keys[e.key] : null;
    if (e.ctrlKey && e.code === "Space") act = () => openList(false);
    if (act) {
      e.preventDefault();
      e.stopImmediatePropagation();
      act();
    } else if (/^(Arrow|Home|End|Page|Enter)/.test(e.key)) closeList();
  });
  text.addEventListener("blur", closeList);
  text.addEventListener("mousedown", closeList);
  text.addEventListener("input", (e) => { if (!picking) e.data || proposals.length ? openList(true) : closeList(); });

  let leaving = false;
  text.addEventListener("input", changed);
  text.addEventListener("focus", () => { leaving = false; });
  text.addEventListener("keydown", (e) => {
    if (e.key === "Tab" && !leaving && !e.shiftKey && !e.altKey && !e.ctrlKey) { e.preventDefault(); text.setRangeText("  ", text.selectionStart, text.selectionEnd, "end"); changed(); }
    leaving = e.key === "Escape" || leaving && /^(Tab|Shift)$/.test(e.key);
  });
  old.addEventListener("input", changed);
  $("update").addEventListener("click", () => { openOld($("before").hidden); if (!$("before").hidden) old.focus(); });
  $("take").addEventListener("click", () => { write(old, text.value); changed(); });
  $("clear").addEventListener("click", () => { write(old, ""); changed(); });
  $("copy").addEventListener("click", () => copy($("copy"), text.value));
  // A text area scrolls what it hides to the caret, and here the pane must.
  text.addEventListener("scroll", () => { text.scrollTop = 0; text.scrollLeft = 0; });
  const load = async (file) => { if (file) put(await file.text()); };
  $("open").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", (e) => { load(e.target.files[0]); e.target.value = ""; });
  const pane = $("manifest"), editor = $("editor");
  for (const [type, on] of [["dragenter", true], ["dragover", true], ["dragleave", false], ["drop", false]]) {
    pane.addEventListener(type, (e) => {
      if (![...(e.dataTransfer?.types || [])].includes("Files")) return;
      e.preventDefault();
      editor.classList.toggle("drop", on);
      if (type === "drop") load(e.dataTransfer.files[0]);
    });
  }
  for (const tab of $("tabs").querySelectorAll("button")) tab.addEventListener("click", () => chooseTab(tab));
  const chooseTab = (tab) => {
    for (const t of $("tabs").querySelectorAll("button")) { t.setAttribute("aria-selected", t === tab); t.tabIndex = t === tab ? 0 : -1; $(t.dataset.tab).hidden = t !== tab; }
  };
  $("tabs").addEventListener("keydown", (e) => {
    if (e.key !== "ArrowRight" && e.key !== "ArrowLeft") return;
    const other = [...$("tabs").querySelectorAll("button")].find((t) => t.getAttribute("aria-selected") === "false");
    chooseTab(other);
    other.focus();
  });
  for (const b of $("panes").querySelectorAll("button")) b.addEventListener("click", () => choosePane(b.dataset.pane));
  const choosePane = (name) => {
    $("main").dataset.pane = name;
    for (const b of $("panes").querySelectorAll("button")) b.setAttribute("aria-pressed", b.dataset.pane === name);
  };

  $("example").addEventListener("click", () => { old.value = ""; openOld(false); put(version.example); });
  const display = (crd, name) => {
    choose(crd, name);
    history.replaceState(null, "", "#" + encodeURIComponent(kind.crd) + "/" + encodeURIComponent(version.name));
    showVersion();
  };
  const switchTo = (crd, name) => {
    if ($("wasm")) keep();
    display(crd, name);
    if ($("wasm")) restore();
  };
  $("kinds").addEventListener("change", (e) => switchTo(kinds[e.target.value].crd));
  $("version").addEventListener("change", (e) => switchTo(kind.crd, e.target.value));
  addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName)) return;
    if (e.key === "/") { if ($("main").dataset.pane === "manifest") choosePane("schema"); $("search").focus(); $("search").select(); e.preventDefault(); }
    if (e.key === "t") nextTheme();
    if (e.key === "e") { choosePane("manifest"); text.focus(); e.preventDefault(); }
  });

  if (!$("wasm")) {
    $("main").classList.add("lone");
    $("panes").remove();
    document.documentElement.dataset.engine = "none";
    return;
  }
  choosePane("manifest");
  restore();
  $("verdict").replaceChildren(make("span", "dot"), make("small", "", "Starting the engine"));
  (async () => {
    const go = new globalThis.Go();
    const [code, source] = await Promise.all([unpack("wasm"), unpackText("source")]);
    const { instance } = await WebAssembly.instantiate(code, go.importObject);
    go.run(instance).then(() => broken("it has ended"), (e) => broken(String(e)));
    const { error } = JSON.parse(globalThis.pruneGenLoad(source));
    if (error) throw error;
    running = true;
    ask();
  })().catch((e) => broken(String(e)));
})();
