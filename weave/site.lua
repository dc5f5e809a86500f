-- The web edition.  Arguments: WEB (folder), GENERATED (the tangled programs).
-- In: what weave/pages.lua loads, book/web/page.html.
-- Out: WEB/*.html, a page a chapter; WEB/book.html, everything on one page;
-- WEB/program/*.html; WEB/data/*.js, the chunks and the search index.
package.path = arg[0]:gsub('[^/]*$', '') .. '?.lua;' .. package.path
local lib, code, html = require 'lib', require 'code', require 'html'
local pages, programs = require 'pages', require 'programs'
local web, generated = arg[1], arg[2]
local template = pages.read(lib.book .. '/web/page.html')
pages.load()

local function href(page, here, root)
  return function(target, id)
    local program, file = id:match '^program/([^#]*)#?(.*)$'
    if program then return ('%sprogram/%s.html%s'):format(root, program, file ~= '' and '#' .. file or '') end
    if id:match '^figure/' then return root .. 'figures/' .. id:match '/(.*)' .. '.svg' end
    if page == 'book' or target == here then return '#' .. id end
    return root .. target .. '.html' .. (id == 'chap-' .. target and '' or '#' .. id)
  end
end
local function link(page, text, rel)
  return ('<a%s href="%s.html">%s</a>'):format(rel and ' rel="' .. rel .. '"' or '', page.id, text)
end
-- "2-4 are to be written", of the chapters between two pages.
local function gap(a, b)
  local from, to = tonumber(a and a.number), tonumber(b and b.number)
  if not from or not to or to - from < 2 then return '' end
  from, to = from + 1, to - 1
  return from == to and (' <small>chapter %d is to be written</small>'):format(from)
    or (' <small>chapters %d%s%d are to be written</small>'):format(from, to == from + 1 and ' and ' or '–', to)
end
-- The bar's middle: where we are, and arrows to the page before and after.
-- before, after: { href, plain title }
local function steps(name, before, after)
  local function arrow(to, rel, word, sign)
    if not to then return '' end
    local says = ('%s: %s'):format(word, html.escape(to[2]))
    return ('<a rel="%s" href="%s" aria-label="%s" title="%s">%s</a>'):format(rel, to[1], says, says, sign)
  end
  return ('<nav class="steps" aria-label="Chapter">%s<span>%s</span>%s</nav>'):format(
    arrow(before, 'prev', 'Previous', '←'), name, arrow(after, 'next', 'Next', '→'))
end

-- A figure's size, so that the page knows it before it is loaded.
local function sized(body)
  return (body:gsub('<img src="(figures/[^"]*%.svg)"', function(src)
    local w, h = pages.read(web .. '/' .. src):match '<svg[^>]- width="([%d.]+)[^>]- height="([%d.]+)'
    if not w then return nil end
    w, h = math.floor(w * 4 / 3 + .5), math.floor(h * 4 / 3 + .5)
    return ('<img src="%s" width="%d" height="%d" style="--w:%dpx"'):format(src, w, h, math.floor(w * .8))
  end))
end

-- One page: its parts into the template.
local function put(path, fields)
  fields.root = fields.root or ''
  if (fields.toc or '') ~= '' then fields.toc = '<nav class="toc" aria-label="On this page">' .. fields.toc .. '</nav>' end
  local s = template:gsub('%$([a-z]+)%$', function(k) return fields[k] or '' end)
  pages.write(web .. '/' .. path, s)
end
local function toc(page)
  if #page.sections == 0 then return '' end
  local out = {}
  for i, s in ipairs(page.sections) do out[i] = ('<li><a href="#%s">%s</a></li>'):format(s.id, s.title) end
  return '<ol>' .. table.concat(out) .. '</ol>'
end

-- On a small screen the sections stand, folded, under the title.
local function with_sections(body, list)
  if list == '' then return body end
  return (body:gsub('</h1>', function(s)
    return s .. '\n<details class="here"><summary>On this page</summary>' .. list .. '</details>'
  end, 1))
end

-- --- contents
local function contents(of)
  local out = {}
  local function entry(p, sections)
    out[#out + 1] = '<li>' .. of(p)
    if sections and #p.sections > 0 then
      out[#out + 1] = '<ol class="secs">'
      for _, s in ipairs(p.sections) do
        if s.title:find('class="n"', 1, true) then out[#out + 1] = '<li>' .. of(p, s) .. '</li>' end
      end
      out[#out + 1] = '</ol>'
    end
    out[#out + 1] = '</li>\n'
  end
  local function group(kind)
    out[#out + 1] = '<ol class="chs">'
    for _, p in ipairs(pages.pages) do if p.kind == kind then entry(p) end end
    out[#out + 1] = '</ol>\n'
  end
  group 'front'
  for _, part in ipairs(pages.parts) do
    out[#out + 1] = ('<h2><small>Part %s</small> %s</h2>\n<ol class="chs">'):format(part.number, html.escape(part.title))
    local run = {}
    local function flush()                     -- chapters to be written, in one line
      if #run > 0 then out[#out + 1] = '<li class="planned">' .. table.concat(run, ' · ') .. ' <i>to be written</i></li>\n' end
      run = {}
    end
    for _, p in ipairs(part.chapters) do
      if p.kind == 'planned' then
        run[#run + 1] = ('<span id="chap-%s">%s</span>'):format(p.id, pages.name(p))
      else flush(); entry(p, true) end
    end
    flush()
    out[#out + 1] = '</ol>\n'
  end
  out[#out + 1] = '<h2>Back matter</h2>\n'
  group 'appendix'; group 'back'
  return table.concat(out)
end
-- --- programs
local function sh(command)
  local out, p = {}, io.popen(command)
  for line in p:lines() do out[#out + 1] = line end
  p:close()
  return out
end
local names, page_of = {}, {}
for _, p in ipairs(pages.pages) do page_of[p.id] = p end
for _, path in ipairs(sh('ls -d ' .. generated .. '/*/')) do names[#names + 1] = path:match '([^/]+)/$' end
names[#names + 1] = 'support'
local function program_page(i, files, title, note)
  local name, body, list = names[i], {}, {}
  for _, f in ipairs(files) do
    list[#list + 1] = ('<li><a href="#%s"><code>%s</code></a></li>'):format(f.id, f.id)
    body[#body + 1] = ('<h2 id="%s"><code>%s</code></h2>\n'):format(f.id, f.file)
      .. programs.html(f.file, f.id)
  end
  local function other(j, text, rel)
    return names[j] and ('<a rel="%s" href="%s.html">%s</a>'):format(rel, names[j], text:format(names[j]))
  end
  local function step(j) return names[j] and { names[j] .. '.html', names[j] } end
  put('program/' .. name .. '.html', { root = '../', title = pages.plain(title), kind = 'program-page',
    toc = '<ol>' .. table.concat(list) .. '</ol>', steps = steps(title, step(i - 1), step(i + 1)),
    prev = other(i - 1, '← %s', 'prev'), next = other(i + 1, '%s →', 'next'),
    body = pages.resolve(('<h1>%s</h1>\n<p>%s The number in the margin names the chunk that a run of lines comes from.</p>\n'):format(title, note)
      .. table.concat(body, '\n'), href('program', nil, '../')) })
end
for i, name in ipairs(names) do
  if name == 'support' then
    program_page(i, { { id = 'support.h', file = 'support.h' }, { id = 'support.c', file = 'support.c' } },
      '<code>support.c</code>, <code>support.h</code>',
      'What all programs share, explained in <a href="@chap-support">appendix ' .. page_of.support.number .. '</a>.')
  else
    local files = {}
    for _, path in ipairs(sh('ls ' .. generated .. '/' .. name .. '/*.[ch]')) do
      local file = path:match '[^/]*$'
      if not file:match '^support%.' then files[#files + 1] = { id = file, file = name .. '/' .. file } end
    end
    local chapter = page_of[code.chunks[code.named[files[1].file][1]].chapter]
    program_page(i, files, '<code>' .. name .. '</code>',
      ('The program complete, explained in <a href="@chap-%s">chapter %s</a>. It is compiled with <a href="support.html"><code>support.c</code> and <code>support.h</code></a>, which all programs share.'):format(
        chapter.id, chapter.number))
  end
end

-- --- the pages
local function js(s)
  return '"' .. s:gsub('[\\"]', '\\%0'):gsub('\n', '\\n'):gsub('</', '<\\/') .. '"'
end
local search = {}
local function remember(page)                  -- a line a section: its text, its code
  local id, title, text, program, inside = 'chap-' .. page.id, page.title, {}, {}, false
  local of = (page.number ~= '' and page.number .. ' ' or '') .. page.title
  local function flush()
    local function squeezed(t) return js((table.concat(t, ' '):gsub('%s+', ' '))) end
    search[#search + 1] = ('[%s,%s,%s,%s,%s]'):format(js(page.id .. '.html#' .. id), js(title), js(of), squeezed(text), squeezed(program))
    text, program = {}, {}
  end
  for line in page.body:gmatch '[^\n]+' do
    local level, new, head = line:match '^<h([123]) id="([^"]*)">(.*)</h'
    if line:find('<pre', 1, true) then inside = true end
    local name = line:find '^<div class="ch">'
    local around = line:find '^<p class="see">' or line:find '^<div class="cf">'
    line = line:gsub('<small class="kind">.-</small>', ''):gsub('<a class="to".-</a>', '')
    if level then
      if level ~= '1' then flush() end
      id, title = new, pages.plain(head)
      if page.id == 'answers' and level == '2' then
        local p = page_of[new:match '^answers%-(.*)']
        title = 'Answers to ' .. (p.number ~= '' and 'chapter ' .. p.number or p.title)
      end
    elseif not around then
      table.insert((inside or name) and program or text, pages.plain(line))
    end
    if line:find('</pre', 1, true) then inside = false end
  end
  flush()
end
local function definitions()                   -- name -> its chunks
  local out = {}
  for name, entries in pairs(pages.defs) do
    local at = {}
    for i, e in ipairs(entries) do at[i] = js(pages.where[e.id] .. '.html#' .. e.id) end
    out[#out + 1] = js(name) .. ':[' .. table.concat(at, ',') .. ']'
  end
  table.sort(out)
  return '{' .. table.concat(out, ',\n') .. '}'
end
local function chunk_data(page)
  local out = {}
  for id in page.body:gmatch '<div class="chunk" id="([^"]*)"' do
    local from = page.body:find('<div class="chunk" id="' .. id .. '"', 1, true)
    local pre = page.body:find('</pre>', from, true)
    local head = page.body:match('<div class="ch">.-</div>', from)
    local code_part = page.body:sub(page.body:find('<pre', from, true), pre + 5)
    local foot = page.body:match('^\n(<div class="cf">.-</div>)', pre + 6) or ''
    out[#out + 1] = js(id) .. ':' .. js(pages.resolve(head .. code_part .. foot, href('chunks', nil, '')))
  end
  table.sort(out)
  pages.write(web .. '/data/' .. page.id .. '.js', 'chunkData(' .. js(page.id) .. ',{' .. table.concat(out, ',\n') .. '});\n')
end

for i, page in ipairs(pages.pages) do
  local before, after = pages.pages[i - 1], pages.pages[i + 1]
  local function step(p) return p and { p.id .. '.html', pages.plain(pages.name(p)) } end
  put(page.id .. '.html', { title = pages.plain(pages.name(page)), kind = page.kind, toc = toc(page),
    steps = steps(pages.name(page), step(before) or { 'index.html', 'Contents' }, step(after)),
    part = page.part and page.kind == 'chapter' and ('<p class="part">Part %s · %s</p>'):format(page.part.number, html.escape(page.part.title)) or '',
    prev = before and link(before, '← ' .. pages.name(before), 'prev') .. gap(before, page) or '<a rel="prev" href="index.html">← Contents</a>',
    next = after and link(after, pages.name(after) .. ' →', 'next') .. gap(page, after),
    body = with_sections(sized(pages.resolve(page.body, href(page.id, page.id, ''))), toc(page)) })
  if page.kind ~= 'back' or page.id == 'answers' then remember(page) end
  chunk_data(page)
end
pages.write(web .. '/data/search.js', 'searchData([\n' .. table.concat(search, ',\n') .. '\n],\n' .. definitions() .. ');\n')

-- --- the cover; what was made with the pages (weave/webfiles) lies beside them
local function exists(path)
  local f = io.open(web .. '/' .. path)
  return f and f:close()
end
local function cover(one)
  local ways, first = {}, nil
  for _, p in ipairs(pages.pages) do
    if p.kind == 'chapter' then first = first or p end
    if p.kind == 'front' then ways[#ways + 1] = one(p) end
  end
  for _, way in ipairs { { 'book.html', 'One page' }, { 'book.epub', 'EPUB', 'book.epub' },
    { 'book.pdf', 'PDF', 'book.pdf' }, { 'index.html#slides', 'Slides', 'slides' } } do
    if not way[3] or exists(way[3]) then ways[#ways + 1] = ('<a href="%s">%s</a>'):format(way[1], way[2]) end
  end
  return ([[<header class="cover"><h1>Programming<br/> with RDMA</h1>
<p class="sub">A literate course</p>
<p>This book teaches you to write programs that use RDMA, to run them, to find out why they do not work, and to make them fast.
You know C, Linux and sockets, and have never seen a verb; you need no hardware, since every program runs in small virtual machines that come along.</p>
<p class="start">%s</p>
<p class="ways">%s</p>
<p class="has">This edition has chapters %s.</p></header>
]]):format(one(first, ('Start with chapter %s, <i>%s</i>'):format(first.number, html.escape(first.title))),
    table.concat(ways, ' · '), pages.present())
end

local list, decks = {}, {}
for i, name in ipairs(names) do list[i] = ('<li><a href="program/%s.html"><code>%s</code></a></li>'):format(name, name) end
for _, path in ipairs(sh('ls ' .. web .. '/slides/*.pdf 2> /dev/null')) do
  local name = path:match '([^/]*)%.pdf$'
  decks[#decks + 1] = ('<li><a href="slides/%s.pdf">%s</a></li>'):format(name,
    html.escape(('\n' .. pages.read('slides/' .. name .. '.deck')):match '\ntitle\t([^\n]*)'))
end
put('index.html', { title = 'Contents', kind = 'front-page', next = link(pages.pages[1], pages.name(pages.pages[1]) .. ' →', 'next'),
  body = cover(function(p, text) return ('<a href="%s.html">%s</a>'):format(p.id, text or pages.name(p)) end)
    .. '<nav class="contents" aria-label="Contents">\n'
    .. contents(function(p, s) return ('<a href="%s.html%s">%s</a>'):format(p.id, s and '#' .. s.id or '', s and s.title or pages.name(p)) end)
    .. '<h2>Programs</h2>\n<ul class="programs">' .. table.concat(list) .. '</ul>\n'
    .. (#decks > 0 and '<h2 id="slides">Slides</h2>\n<ul>' .. table.concat(decks) .. '</ul>\n' or '')
    .. '</nav>\n<section class="notice"><h2>Licence</h2>\n'
    .. pages.resolve(pages.notice, href('index', 'index', '')) .. '</section>' })

local all, chapters = {}, {}
local function inside(p, s) return ('<a href="#%s">%s</a>'):format(s and s.id or 'chap-' .. p.id, s and s.title or pages.name(p)) end
for i, page in ipairs(pages.pages) do
  all[i] = '<article>\n' .. pages.resolve(page.body, href('book', page.id, '')) .. '\n</article>'
  chapters[i] = '<li>' .. inside(page) .. '</li>'
end
put('book.html', { title = 'Everything on one page', kind = 'book', toc = '<ol>' .. table.concat(chapters) .. '</ol>',
  steps = steps('One page'),
  body = cover(function(p, text) return ('<a href="#chap-%s">%s</a>'):format(p.id, text or pages.name(p)) end)
    .. '<nav class="contents" aria-label="Contents">\n' .. contents(inside) .. '</nav>\n' .. sized(table.concat(all, '\n')) })

put('search.html', { title = 'Search', kind = 'search-page', body = [[<h1>Search</h1>
<noscript><p>Searching needs JavaScript. Without it, the <a href="concepts.html">index of concepts</a>, the <a href="identifiers.html">index of identifiers</a> and the <a href="chunks.html">index of chunks</a> lead everywhere.</p></noscript>
<p id="found" role="status"></p>
<ol id="results"></ol>]] })
