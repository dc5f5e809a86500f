// Checks of the browser's slides in a real browser, at 1280 x 720.
// Usage: node check.js CHECK FOLDER [DECK...]      (default: every deck)
//   slides    every slide shows, none overflows, each of the sources has notes;
//             prints "DECK NUMBER" of slides
//   local     decks and index load without an error, and nothing from elsewhere
//   speaker   the speaker's view opens, shows the notes of its slide, and counts its minutes
//   shots     a picture of every slide, build/slides-web-shots/DECK-NN.png
// Out: one line a fault, after the check's name; exit status 1 if there was one.
'use strict';
const fs = require('fs'), path = require('path'), url = require('url');
const puppeteer = require('puppeteer-core');

const [check, folder, ...given] = process.argv.slice(2);
const web = path.resolve(folder), base = url.pathToFileURL(web).href + '/';
const decks = given.length ? given
  : fs.readdirSync(web).filter((f) => f.endsWith('.html') && f !== 'index.html').map((f) => f.slice(0, -5)).sort();
let faults = 0;
const fault = (text) => { console.log(`${check}: ${text}`); faults++; };

async function open(page, deck) {
  await page.goto(`${base}${deck}.html`, { waitUntil: 'load' });
  await page.waitForFunction(() => window.Reveal && window.Reveal.isReady(), { timeout: 10000 });
  await page.evaluate(() => document.fonts.ready);
  return page.evaluate(() => window.Reveal.getTotalSlides());
}

// In the page: what is wrong with slide n.
function look(n) {
  window.Reveal.slide(n);
  const slide = window.Reveal.getCurrentSlide(), found = [], id = slide.id;
  const frame = slide.getBoundingClientRect();
  if (frame.width < 1270 || frame.height < 710 || !slide.checkVisibility() || !slide.innerText.trim()) {
    found.push(`${id} does not show`);
  }
  for (const e of [slide, ...slide.querySelectorAll('.body, .fit, .fit pre, h2')]) {
    const wide = e.scrollWidth - e.clientWidth, high = e.scrollHeight - e.clientHeight;
    if (wide > 1 || high > 1) found.push(`${id} overflows by ${Math.max(wide, 0)} x ${Math.max(high, 0)} (${e.className || e.localName})`);
  }
  for (const e of slide.querySelectorAll('.body *')) {
    const r = e.getBoundingClientRect();
    if (r.width && (r.right > 1280.5 || r.left < -0.5)) { found.push(`${id} overflows: ${e.localName} from ${r.left | 0} to ${r.right | 0}`); break; }
  }
  for (const pre of slide.querySelectorAll('pre')) {
    const size = parseFloat(getComputedStyle(pre).fontSize), least = pre.closest('.runs') ? 21 : 26;
    if (size < least) found.push(`${id} has code of ${size.toFixed(1)} pixels`);
  }
  for (const img of slide.querySelectorAll('img')) {
    if (!img.complete || !img.naturalWidth) found.push(`${id} lacks ${img.getAttribute('src')}`);
    else if (img.clientHeight < 150) found.push(`${id} has a figure of ${img.clientHeight} pixels`);
  }
  const notes = slide.querySelector('aside.notes');
  if (slide.matches('.slide') && !(notes && notes.textContent.trim().length > 40)) found.push(`${id} has no notes`);
  return found;
}

const checks = {
  async slides(page) {
    for (const deck of decks) {
      const total = await open(page, deck);
      for (let n = 0; n < total; n++) {
        for (const text of await page.evaluate(look, n)) fault(`${deck}: ${text}`);
      }
      console.log(`${deck} ${total}`);
    }
  },
  async local(page) {
    let where;
    page.on('console', (m) => { if (m.type() === 'error') fault(`${where}: ${m.text()}`); });
    page.on('pageerror', (e) => fault(`${where}: ${e.message}`));
    page.on('requestfailed', (r) => fault(`${where}: ${r.url()} failed`));
    page.on('request', (r) => { if (!/^(data|blob):/.test(r.url()) && !r.url().startsWith(base)) fault(`${where}: asks for ${r.url()}`); });
    for (where of decks) await open(page, where);
    where = 'index';
    await page.goto(`${base}index.html`, { waitUntil: 'load' });
    const missing = await page.evaluate((all) => all.filter((d) => !document.querySelector(`a[href="${d}.html"]`)), decks);
    for (const d of missing) fault(`index: no ${d}`);
  },
  async speaker(page, browser) {
    for (const deck of decks) {
      await open(page, deck);
      const wanted = await page.evaluate(() => {
        const slide = document.querySelector('section.slide');
        window.Reveal.slide(window.Reveal.getIndices(slide).h);
        return slide.querySelector('.notes').textContent.trim().replace(/\s+/g, ' ').slice(0, 40);
      });
      const popup = new Promise((done) => page.once('popup', done));
      await page.keyboard.press('s');
      const view = await Promise.race([popup, new Promise((done) => setTimeout(done, 5000))]);
      if (!view) { fault(`${deck}: no speaker's view`); continue; }
      const there = await view.waitForFunction((w) => {
        const e = document.querySelector('.speaker-controls-notes .value');
        return e && e.textContent.trim().replace(/\s+/g, ' ').startsWith(w);
      }, { timeout: 8000 }, wanted).catch(() => null);
      if (!there) fault(`${deck}: the speaker's view does not show "${wanted}"`);
      else if (!await view.waitForFunction(() => document.querySelector('.pacing').checkVisibility(), { timeout: 3000 }).catch(() => null)) {
        fault(`${deck}: the speaker's view does not count a slide's minutes`);
      }
      await view.close();
    }
  },
  async shots(page) {
    const to = path.join(path.dirname(web), 'slides-web-shots');
    fs.mkdirSync(to, { recursive: true });
    for (const deck of decks) {
      const total = await open(page, deck);
      for (let n = 0; n < total; n++) {
        await page.evaluate((k) => window.Reveal.slide(k), n);
        await page.screenshot({ path: path.join(to, `${deck}-${String(n + 1).padStart(2, '0')}.png`) });
      }
    }
  },
};

(async () => {
  if (!checks[check]) throw new Error(`no check "${check}"`);
  const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM || 'chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 720 });
    await checks[check](page, browser);
    if (!decks.length) fault('no decks');
  } finally {
    await browser.close();
  }
  process.exit(faults ? 1 : 0);
})().catch((e) => { console.log(`${check}: ${e.stack}`); process.exit(2); });
