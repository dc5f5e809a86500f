// The web edition's comforts; everything can be read without them.
// 1. Hover or focus on a link to a chunk shows the chunk: a link in it shows
//    the next one, the down arrow goes into it, Esc hides it.
//    Chunks of other pages come from data/PAGE.js, by a script element, since
//    that also works from the file system.
// 2. search.html searches data/search.js: lines [url, title, chapter, text,
//    code], and where each identifier is defined.
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
  async function chunk(link) {                   // its HTML, and what its links begin with
    const [path, id] = link.href.split('#');
    if (!id || !id.startsWith('chunk-')) return null;
    const page = path.replace(/.*\//, '').replace(/\.html$/, '');
    const here = document.getElementById(id);
    if (here) {
      if (here.contains(link)) return null;
      return [['.ch', 'pre', '.cf'].map((s) => here.querySelector(s)?.outerHTML ?? '').join(''), ''];
    }
    loading[page] = loading[page] || load(page);
    await loading[page];
    return data[page] && data[page][id] ? [data[page][id], root] : null;
  }
  const peek = document.createElement('div');
  peek.id = 'peek';
  peek.hidden = true;
  peek.tabIndex = -1;
  peek.setAttribute('role', 'dialog');
  peek.setAttribute('aria-labelledby', 'peek-name');
  document.body.append(peek);
  // from: the link of the page at which it is shown; trail: the links followed in it
  let from = null, trail = [], timer;
  function hide() {
    clearTimeout(timer);
    if (from) from.removeAttribute('aria-describedby');
    from = null;
    peek.hidden = true;
  }
  async function show(link) {
    clearTimeout(timer);
    if (link === from) return;
    hide();
    from = link;
    trail = [];
    if (!await fill(link)) { if (from === link) hide(); return; }
    if (from !== link) return;
    link.setAttribute('aria-describedby', 'peek-name');
    place();
  }
  async function fill(link) {
    const at = from, found = await chunk(link);
    if (!found || at !== from) return false;
    peek.innerHTML = found[0];
    peek.querySelector('.ch').id = 'peek-name';
    for (const a of peek.querySelectorAll('a')) {
      const to = a.getAttribute('href');
      if (found[1] && !to.startsWith('#')) a.setAttribute('href', found[1] + to);
    }
    for (const e of peek.querySelectorAll('[tabindex="0"]')) e.removeAttribute('tabindex');
    if (trail.length) {
      const back = document.createElement('button');
      back.textContent = 'Back';
      back.addEventListener('click', () => { trail.pop(); fill(trail.at(-1) || from).then(place); peek.focus(); });
      peek.prepend(back);
    }
    peek.hidden = false;
    peek.scrollTop = 0;
    const name = link.textContent.replace(/^(struct|enum) /, '').replace(/\(.*/, '');
    const own = [...peek.querySelectorAll('.d')].find((d) => d.textContent === name);
    if (own) {
      const line = own.closest('.l');
      line.classList.add('hit');
      peek.scrollTop = Math.max(0, line.offsetTop - 60);
    }
    return true;
  }
  function place() {                             // below the link or above it, but not over the bar
    const r = from.getClientRects()[0] || from.getBoundingClientRect(), gap = 4;
    const bar = document.querySelector('.bar').getBoundingClientRect().bottom;
    const room = [innerHeight - r.bottom - 2 * gap, r.top - bar - 2 * gap];
    peek.style.maxHeight = '22rem';
    const below = peek.offsetHeight <= room[0] || room[0] >= room[1];
    peek.style.maxHeight = `min(22rem, ${Math.max(120, room[below ? 0 : 1])}px)`;
    const w = peek.offsetWidth, h = peek.offsetHeight, width = document.documentElement.clientWidth;
    peek.style.left = scrollX + Math.max(8, Math.min(r.left, width - w - 8)) + 'px';
    peek.style.top = scrollY + (below ? r.bottom + gap : r.top - gap - h) + 'px';
  }
  const target = (e) => e.target.closest && e.target.closest('a[href*="#chunk-"]');
  document.addEventListener('pointerover', (e) => {
    if (e.pointerType !== 'mouse') return;
    const link = target(e);
    if (peek.contains(e.target)) clearTimeout(timer);
    else if (link) { clearTimeout(timer); timer = setTimeout(show, 250, link); }
    else if (!peek.contains(document.activeElement)) { clearTimeout(timer); timer = setTimeout(hide, 250); }
  });
  document.addEventListener('focusin', (e) => {
    const link = target(e);
    if (peek.contains(e.target)) return;
    if (link && link.matches(':focus-visible')) show(link); else hide();
  });
  peek.addEventListener('click', (e) => {        // its own number leads to the page
    const link = target(e);
    if (!link || link.matches('.num') || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    trail.push(link);
    fill(link).then((shown) => { if (shown) { place(); peek.focus(); } else location = link.href; });
  });
  document.addEventListener('keydown', (e) => {
    if (peek.hidden) return;
    if (e.key === 'Escape') {
      const link = from;
      if (peek.contains(document.activeElement)) link.focus();
      hide();
    } else if (e.key === 'ArrowDown' && document.activeElement === from) {
      e.preventDefault();
      peek.focus();
    }
  });

  // --- 2. search
  let index = null, defined = {};
  window.searchData = (rows, definitions) => { index = rows; defined = definitions; };
  const escape = (s) => s.replace(/[&<>"]/g, (c) => '&#' + c.charCodeAt(0) + ';');
  const pattern = (word) => new RegExp('(?<![\\p{L}\\d])' + word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
  function find(query) {
    const words = query.trim().split(/\s+/).filter(Boolean).map(pattern);
    const hits = [];
    if (!words.length) return hits;
    const count = (s, w) => (s.match(w) || []).length;
    index.forEach((row, i) => {
      let score = 0;
      for (const w of words) {
        const inTitle = count(row[1], w), inText = count(row[3], w) + count(row[4], w);
        if (!inTitle && !inText) return;
        score += 20 * inTitle + Math.min(inText, 10) / (1 + (row[3].length + row[4].length) / 20000);
      }
      if (/^(answers|support)/.test(row[0])) score /= 3;
      hits.push({ row, score, i });
    });
    hits.sort((a, b) => b.score - a.score || a.i - b.i);
    return hits.map(({ row }) => {
      const inText = words.some((w) => row[3].search(w) >= 0) || !words.some((w) => row[4].search(w) >= 0);
      return { row, snippet: inText ? snippet(row[3], words) : '<code>' + snippet(row[4], words) + '</code>' };
    });
  }
  function snippet(text, words) {                // from a word's beginning to a word's end
    const hit = words.map((w) => text.search(w)).filter((n) => n >= 0);
    const at = hit.length ? Math.min(...hit) : 0;
    const start = at > 60 ? text.lastIndexOf(' ', at - 60) + 1 : 0;
    const last = text.length > at + 160 ? text.lastIndexOf(' ', at + 160) : text.length;
    const end = last > at ? last : text.length;
    const part = text.slice(start, end), marks = [];
    for (const w of words) for (const m of part.matchAll(w)) marks.push([m.index, m.index + m[0].length]);
    marks.sort((a, b) => a[0] - b[0]);
    let out = '', n = 0;
    for (const [a, b] of marks) {
      if (a < n) continue;
      out += escape(part.slice(n, a)) + '<mark>' + escape(part.slice(a, b)) + '</mark>';
      n = b;
    }
    return (start ? '… ' : '') + out + escape(part.slice(n)) + (end < text.length ? ' …' : '');
  }
  const results = document.getElementById('results');
  const field = document.querySelector('.bar input');
  if (results) {
    const found = document.getElementById('found');
    const update = () => {
      const query = field.value.trim(), hits = find(query);
      const own = Object.hasOwn(defined, query) ? defined[query] : [];
      found.textContent = query === '' ? ''
        : hits.length ? hits.length + (hits.length === 1 ? ' section' : ' sections') : 'Nothing found.';
      results.innerHTML = (own.length ? `<li><code>${escape(query)}</code> is defined in ` + own.map((to) =>
        `<a href="${escape(to)}">${escape(to.replace(/.*chunk-/, ''))}</a>`).join(', ') + '</li>' : '') +
        hits.slice(0, 50).map(({ row, snippet: s }) =>
          `<li><a href="${escape(row[0])}">${escape(row[1])}</a> ` +
          `<span class="in">${row[1] === row[2] || row[2] === 'Answers' ? '' : escape(row[2])}</span><p>${s}</p></li>`).join('');
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
      field.form.addEventListener('submit', (e) => {
        e.preventDefault();
        const first = results.querySelector('a');
        if (first) first.focus();
      });
    });
  }

  // --- 3. keys, and where we are
  document.addEventListener('keydown', (e) => {
    if (e.key === '/' && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName) && !e.ctrlKey && !e.metaKey) {
      e.preventDefault();
      field.focus();
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
    const toc = document.querySelector('.toc');
    const heads = [...entries.keys()].map((id) => document.getElementById(id)).filter(Boolean);
    // The last heading above a line near the top is where we are; on the last
    // screenful the line moves down, so that every entry gets its turn.
    const mark = () => {
      const left = Math.max(0, document.documentElement.scrollHeight - innerHeight - scrollY);
      const line = 120 + (innerHeight - 120) * Math.max(0, 1 - left / innerHeight);
      let now = null;
      for (const h of heads) if (h.getBoundingClientRect().top < line) now = h.id;
      for (const [id, a] of entries) {
        if (id === now && !a.classList.contains('now')) toc.scrollTop = a.offsetTop - toc.clientHeight / 2;
        a.classList.toggle('now', id === now);
      }
    };
    addEventListener('scroll', mark, { passive: true });
    mark();
  }
})();
