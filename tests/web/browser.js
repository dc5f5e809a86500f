// Checks of the web edition in a real browser.
// Usage: node browser.js CHECK FOLDER [PAGE...]     (default: every page)
//   local     pages load without an error, and nothing from elsewhere
//   width     no horizontal scrolling at 390 pixels, of no code either
//   axe       no serious or critical finding, light and dark
//   keyboard  focus shows a definition, Escape hides it, "/" goes to the search
//   place     at a page's end the side list marks its last entry; what a link
//             leads to is in sight
//   search    "completion" is found, served and from the file system
//   plain     without JavaScript, text and links are there
// Out: one line a fault; exit status 1 if there was one.
'use strict';
const fs = require('fs'), http = require('http'), path = require('path'), url = require('url');
const puppeteer = require('puppeteer-core');

const [check, folder, ...given] = process.argv.slice(2);
const web = path.resolve(folder);
const all = ['.', 'program'].flatMap((d) => fs.readdirSync(path.join(web, d))
  .filter((f) => f.endsWith('.html')).map((f) => path.join(d, f)));
const pages = given.length ? given : all;
let faults = 0;
const fault = (text) => { console.log(`${check}: ${text}`); faults++; };

const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml' };
const server = http.createServer((request, response) => {
  const file = path.join(web, decodeURIComponent(new url.URL(request.url, 'http://x').pathname));
  fs.readFile(file, (error, body) => {
    response.writeHead(error ? 404 : 200, { 'Content-Type': types[path.extname(file)] || 'application/octet-stream' });
    response.end(error ? '' : body);
  });
});

const checks = {
  async local(page, base) {
    let where;
    page.on('console', (m) => { if (m.type() === 'error') fault(`${where}: ${m.text()}`); });
    page.on('pageerror', (e) => fault(`${where}: ${e.message}`));
    page.on('requestfailed', (r) => fault(`${where}: ${r.url()} failed`));
    page.on('response', (r) => { if (r.status() >= 400) fault(`${where}: ${r.url()}: ${r.status()}`); });
    page.on('request', (r) => { if (!/^data:/.test(r.url()) && !r.url().startsWith(base)) fault(`${where}: asks for ${r.url()}`); });
    for (where of pages) {
      await page.goto(base + where, { waitUntil: 'load' });
      const fonts = await page.evaluate(async () => { await document.fonts.ready; return [...document.fonts].filter((f) => f.status === 'loaded').length; });
      if (fonts < 2) fault(`${where}: ${fonts} fonts`);
    }
  },
  async width(page, base) {
    await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
    for (const p of pages) {
      await page.goto(base + p);
      const width = await page.evaluate(async () => { await document.fonts.ready; return document.documentElement.scrollWidth; });
      if (width > 390) fault(`${p}: ${width} pixels wide`);
      const code = await page.$$eval('pre', (all) => Math.max(0, ...all.map((e) => e.scrollWidth - e.clientWidth)));
      if (code > 1) fault(`${p}: code ${code} pixels wider than its place`);
    }
  },
  async axe(page, base) {
    const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
    for (const scheme of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      for (const p of pages) {
        await page.goto(base + p);
        await page.evaluate(() => document.fonts.ready);
        await page.evaluate(axe);
        const found = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
        for (const v of found.violations) {
          if (v.impact !== 'serious' && v.impact !== 'critical') continue;
          fault(`${p}, ${scheme}: ${v.id}: ${v.help}: ${v.nodes.length} times, ${v.nodes[0].html.slice(0, 160)}`);
        }
      }
    }
  },
  async keyboard(page, base) {
    const start = pages.length === 1 ? pages[0] : 'work-requests.html';
    await page.goto(base + start);
    const focused = (selector) => page.evaluate((s) => document.activeElement.matches(s), selector);
    for (const kind of ['a.use', '.cf a', 'pre a.id']) {
      // the Tab before brings us to where the next link is the one we want
      const is = await page.evaluate((s) => {
        const links = [...document.querySelectorAll('main a')], i = links.findIndex((a) => a.matches(s));
        if (i > 0) links[i - 1].focus();
        return i > 0;
      }, kind);
      if (!is) { fault(`${start}: no ${kind}`); continue; }
      await page.keyboard.press('Tab');
      for (let i = 0; i < 3 && !await focused(kind); i++) await page.keyboard.press('Tab');
      const shown = await page.waitForFunction(() => {
        const peek = document.getElementById('peek');
        return peek && !peek.hidden && peek.querySelector('pre') && peek.getBoundingClientRect().height > 20;
      }, { timeout: 3000 }).catch(() => null);
      if (!shown) { fault(`${start}: focus on ${kind} shows no definition`); continue; }
      await page.keyboard.press('Escape');
      if (await page.$eval('#peek', (e) => !e.hidden)) fault(`${start}: Escape does not hide the definition`);
    }
    // the arrow goes into a definition; there a link shows the next, and Back the one before
    const name = () => page.evaluate(() => document.getElementById('peek-name')?.textContent);
    const shows = (not) => page.waitForFunction((n) => {
      const e = document.getElementById('peek-name');
      return e && e.textContent !== n && !document.getElementById('peek').hidden;
    }, { timeout: 3000 }, not).catch(() => null);
    await page.evaluate(() => {
      const links = [...document.querySelectorAll('main a')], i = links.findIndex((a, n) => n && a.matches('a.use'));
      links[i - 1].focus();
    });
    for (let i = 0; i < 4 && !await focused('a.use'); i++) await page.keyboard.press('Tab');
    await shows('');
    const first = await name();
    await page.keyboard.press('ArrowDown');
    if (!await focused('#peek')) fault(`${start}: the arrow does not go into the definition`);
    else {
      for (let i = 0; i < 9 && !await focused('#peek pre a'); i++) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await shows(first);
      const second = await name();
      if (second === first) fault(`${start}: a link in the definition shows no other`);
      else {
        await page.evaluate(() => document.querySelector('#peek button').click());
        await shows(second);
        if (await name() !== first) fault(`${start}: Back does not come back`);
      }
      await page.keyboard.press('Escape');
      if (!await focused('a.use')) fault(`${start}: Escape does not lead back to the link`);
    }
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('/');
    if (!await focused('input[type=search]')) fault(`${start}: "/" does not go to the search`);
    await page.goto(base + start);
    await page.keyboard.press('Tab');
    if (!await focused('.skip')) fault(`${start}: the first Tab does not offer to skip to the text`);
  },
  async place(page, base) {
    await page.setViewport({ width: 1280, height: 800 });
    for (const p of ['work-requests.html', 'stack.html', 'book.html']) {
      await page.goto(base + p);
      await page.evaluate(() => { document.documentElement.scrollTop = 1e9; });
      const there = await page.waitForFunction(() => document.querySelector('.toc li:last-child .now'), { timeout: 2000 }).catch(() => null);
      if (!there) fault(`${p}: at the end, marks "${await page.evaluate(() => document.querySelector('.toc .now')?.textContent)}"`);
    }
    for (const [p, id] of [['program/ping-poll.html', 'client.c-60'], ['work-requests.html', 'chunk-10.19'], ['work-requests.html', 'work-requests-summary']]) {
      await page.goto(`${base}${p}#${id}`);
      await page.evaluate(() => document.fonts.ready);
      const seen = await page.evaluate((i) => {
        const e = document.getElementById(i), r = e.getBoundingClientRect();
        const at = document.elementFromPoint(r.left + r.width / 2, r.top + 3);
        return r.top < innerHeight && (e === at || e.contains(at));
      }, id);
      if (!seen) fault(`${p}: ${id} is hidden`);
    }
  },
  async search(page, base) {
    for (const from of [base, url.pathToFileURL(web).href + '/']) {
      await page.goto(from + 'index.html');
      await page.type('.bar input', 'completion');
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      const found = await page.waitForSelector('#results a', { timeout: 5000 }).catch(() => null);
      if (!found) { fault(`${from}: nothing found`); continue; }
      const snippet = await page.$eval('#results mark', (e) => e.textContent.toLowerCase());
      if (!snippet.startsWith('completion')) fault(`${from}: marks "${snippet}"`);
      await page.keyboard.press('Enter');
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      const there = await page.evaluate(() => location.hash && document.getElementById(location.hash.slice(1)) !== null);
      if (!there) fault(`${from}: the first result leads nowhere: ${page.url()}`);
      await page.goto(from + 'search.html?q=xyzzyplugh');
      await page.waitForFunction(() => document.getElementById('found').textContent !== '', { timeout: 5000 });
      if (await page.$('#results a')) fault(`${from}: finds what is not there`);
    }
  },
  async plain(page, base) {
    await page.setJavaScriptEnabled(false);
    for (const p of pages) {
      await page.goto(base + p);
      const [text, links] = await page.$eval('main', (m) => [m.checkVisibility() && m.offsetHeight > 50 ? m.innerText.length : 0, m.querySelectorAll('a').length]);
      if (text < 100 || links < 1) fault(`${p}: ${text} characters and ${links} links without JavaScript`);
    }
  },
};

(async () => {
  if (!checks[check]) throw new Error(`no check "${check}"`);
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM || 'chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
  try {
    await checks[check](await browser.newPage(), `http://127.0.0.1:${server.address().port}/`);
    if (!pages.length) fault('no pages');
  } finally {
    await browser.close();
    server.close();
  }
  process.exit(faults ? 1 : 0);
})().catch((e) => { console.log(`${check}: ${e.stack}`); process.exit(2); });
