// The web edition's comforts; everything can be read without them.
// 1. Hover or focus on a link to a chunk shows the chunk (Esc hides it).
//    Chunks of other pages come from data/PAGE.js, by a script element, since
//    that also works from the file system.
// 2. search.html searches data/search.js: lines [url, title, chapter, text].
// 3. "/" goes to the search field; the section in sight is marked.
'use strict';
(() => {
  const root = document.documentElement.dataset.root || '';
  const load = (name) => new Promise((done) => {
    const s = document.createElement('script');
    s.src = root + 'data/' + name + '.js';
    s.onload = s.onerror = done;
    document.head.append(s);
  });

  // --- 1. definitions
  const data = {}, loading = {};
  window.chunkData = (page, chunks) => { data[page] = chunks; };
  async function chunk(link) {
    const [path, id] = link.href.split('#');
    if (!id || !id.startsWith('chunk-')) return null;
    const page = path.replace(/.*\//, '').replace(/\.html$/, '');
    const here = document.getElementById(id);
    if (here) {
      if (here.contains(link)) return null;
      return [here.querySelector('.ch').outerHTML + here.querySelector('pre').outerHTML, ''];
    }
    loading[page] = loading[page] || load(page);
    await loading[page];
    return data[page] && data[page][id] ? [data[page][id], root] : null;
  }
  const peek = document.createElement('div');
  peek.id = 'peek';
  peek.hidden = true;
  peek.setAttribute('role', 'tooltip');
  document.body.append(peek);
  let current = null, timer;
  function hide() { clearTimeout(timer); current = null; peek.hidden = true; }
  async function show(link) {
    clearTimeout(timer);
    if (link === current) return;
    current = link;
    const found = await chunk(link);
    if (link !== current) return;
    if (!found) { hide(); return; }
    peek.innerHTML = found[0];
    for (const a of peek.querySelectorAll('a')) {
      const to = a.getAttribute('href');
      if (found[1] && !to.startsWith('#')) a.setAttribute('href', found[1] + to);
      a.tabIndex = -1;
    }
    for (const e of peek.querySelectorAll('[tabindex="0"]')) e.removeAttribute('tabindex');
    peek.hidden = false;
    peek.scrollTop = 0;
    const name = link.textContent.replace(/^(struct|enum) /, '').replace(/\(.*/, '');
    for (const d of peek.querySelectorAll('.d')) {
      if (d.textContent !== name) continue;
      const line = d.closest('.l');
      line.classList.add('hit');
      peek.scrollTop = Math.max(0, line.offsetTop - 60);
      break;
    }
    const r = link.getClientRects()[0] || link.getBoundingClientRect();
    const w = peek.offsetWidth, h = peek.offsetHeight, gap = 4;
    const width = document.documentElement.clientWidth;
    const below = r.bottom + gap + h <= innerHeight || r.top - gap - h < 0;
    peek.style.left = scrollX + Math.max(8, Math.min(r.left, width - w - 8)) + 'px';
    peek.style.top = scrollY + (below ? r.bottom + gap : r.top - gap - h) + 'px';
  }
  const target = (e) => e.target.closest && e.target.closest('a[href*="#chunk-"]');
  document.addEventListener('pointerover', (e) => {
    if (e.pointerType !== 'mouse') return;
    const link = target(e);
    if (peek.contains(e.target)) clearTimeout(timer);
    else if (link) { clearTimeout(timer); timer = setTimeout(show, 250, link); }
    else { clearTimeout(timer); timer = setTimeout(hide, 250); }
  });
  document.addEventListener('focusin', (e) => {
    const link = target(e);
    if (link && !peek.contains(link) && link.matches(':focus-visible')) show(link);
    else if (!peek.contains(e.target)) hide();
  });

  // --- 2. search
  let index = null;
  window.searchData = (rows) => { index = rows; };
  const escape = (s) => s.replace(/[&<>"]/g, (c) => '&#' + c.charCodeAt(0) + ';');
  const pattern = (word) => new RegExp('(?<![\\p{L}\\d])' + word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
  function find(query) {
    const words = query.trim().split(/\s+/).filter(Boolean).map(pattern);
    const hits = [];
    if (!words.length) return hits;
    index.forEach((row, i) => {
      let score = 0;
      for (const w of words) {
        const inTitle = (row[1].match(w) || []).length, inText = (row[3].match(w) || []).length;
        if (!inTitle && !inText) return;
        score += 20 * inTitle + Math.min(inText, 10) / (1 + row[3].length / 20000);
      }
      if (/^(answers|support)/.test(row[0])) score /= 3;
      hits.push({ row, score, i });
    });
    hits.sort((a, b) => b.score - a.score || a.i - b.i);
    return hits.map((h) => ({ row: h.row, snippet: snippet(h.row[3], words) }));
  }
  function snippet(text, words) {
    let at = words.map((w) => text.search(w)).filter((n) => n >= 0);
    at = at.length ? Math.min(...at) : 0;
    const from = Math.max(0, text.lastIndexOf(' ', at - 60)), to = Math.min(text.length, at + 160);
    const marks = [];
    const part = text.slice(from, to);
    for (const w of words) for (const m of part.matchAll(w)) marks.push([m.index, m.index + m[0].length]);
    marks.sort((a, b) => a[0] - b[0]);
    let out = '', n = 0;
    for (const [a, b] of marks) {
      if (a < n) continue;
      out += escape(part.slice(n, a)) + '<mark>' + escape(part.slice(a, b)) + '</mark>';
      n = b;
    }
    return (from ? '… ' : '') + out + escape(part.slice(n)) + (to < text.length ? ' …' : '');
  }
  const results = document.getElementById('results');
  if (results) {
    const field = document.querySelector('.big input');
    const bar = document.querySelector('.bar form');
    const found = document.getElementById('found');
    bar.hidden = true;
    const update = () => {
      const hits = find(field.value);
      found.textContent = field.value.trim() === '' ? ''
        : hits.length ? hits.length + (hits.length === 1 ? ' section' : ' sections') : 'Nothing found.';
      results.innerHTML = hits.slice(0, 50).map(({ row, snippet: s }) =>
        `<li><a href="${escape(row[0])}">${escape(row[1])}</a> ` +
        `<span class="in">${row[1] === row[2] ? '' : escape(row[2])}</span><p>${s}</p></li>`).join('');
    };
    load('search').then(() => {
      if (!index) { found.textContent = 'The search index did not load.'; return; }
      field.value = new URLSearchParams(location.search).get('q') || '';
      update();
      field.focus();
      field.addEventListener('input', () => {
        update();
        try { history.replaceState(null, '', '?q=' + encodeURIComponent(field.value)); } catch { /* file: */ }
      });
      document.querySelector('.big').addEventListener('submit', (e) => {
        e.preventDefault();
        const first = results.querySelector('a');
        if (first) first.focus();
      });
    });
  }

  // --- 3. keys, and where we are
  document.addEventListener('keydown', (e) => {
    if (e.key === 'Escape') hide();
    if (e.key === '/' && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName) && !e.ctrlKey && !e.metaKey) {
      e.preventDefault();
      document.querySelector(results ? '.big input' : '.bar input').focus();
    }
  });
  // what scrolls sideways can be reached with the keyboard
  const reach = () => {
    for (const e of document.querySelectorAll('pre, .scroll')) {
      if (e.scrollWidth > e.clientWidth) e.tabIndex = 0; else e.removeAttribute('tabindex');
    }
  };
  reach();
  addEventListener('resize', reach);
  if (document.fonts) document.fonts.ready.then(reach);
  const entries = new Map([...document.querySelectorAll('.toc a')].map((a) => [a.getAttribute('href').slice(1), a]));
  if (entries.size) {
    const heads = [...entries.keys()].map((id) => document.getElementById(id)).filter(Boolean);
    const mark = () => {
      let now = null;
      for (const h of heads) if (h.getBoundingClientRect().top < 120) now = h.id;
      for (const [id, a] of entries) a.classList.toggle('now', id === now);
    };
    addEventListener('scroll', mark, { passive: true });
    mark();
  }
})();
