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
    if page == 'book' and target ~= 'index' or target == here then return '#' .. id end
    return root .. target .. '.html' .. (id == 'chap-' .. target and '' or '#' .. id)
  end
end
local function link(page, text, root, rel)
  return ('<a%s href="%s%s.html">%s</a>'):format(rel and ' rel="' .. rel .. '"' or '', root, page.id, text)
end

-- One page: its parts into the template.
local function put(path, fields)
  fields.root = fields.root or ''
  if (fields.toc or '') ~= '' then fields.toc = '<nav class="toc" aria-label="On this page">' .. fields.toc .. '</nav>' end
  local s = template:gsub('%$([a-z]+)%$', function(k) return fields[k] or '' end)
  pages.write(web .. '/' .. path, s)
end
local function toc(page)
  if #page.sections < 2 then return '' end
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
      for _, s in ipairs(p.sections) do out[#out + 1] = '<li>' .. of(p, s) .. '</li>' end
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
    out[#out + 1] = ('<h2><small>part %s</small> %s</h2>\n<ol class="chs">'):format(part.number, html.escape(part.title))
    for _, p in ipairs(part.chapters) do
      if p.kind == 'planned' then
        out[#out + 1] = ('<li class="planned"%s><span class="n">%s</span> %s <i>to be written</i></li>\n'):format(
          of(p) or '', p.number, html.escape(p.title))
      else entry(p, true) end
    end
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
local names = {}
local function program_page(name, files, title, note, others)
  local body, list = {}, {}
  for _, f in ipairs(files) do
    list[#list + 1] = ('<li><a href="#%s"><code>%s</code></a></li>'):format(f.id, f.id)
    body[#body + 1] = ('<h2 id="%s"><code>%s</code></h2>\n'):format(f.id, f.name)
      .. programs.html(f.file, f.id)
  end
  put('program/' .. name .. '.html', { root = '../', title = title, kind = 'program-page',
    toc = '<ol>' .. table.concat(list) .. '</ol>', prev = others.prev, next = others.next,
    body = pages.resolve(('<h1>%s</h1>\n<p>%s Each line is from the chunk whose number stands beside the first of them, and that explains it.</p>\n'):format(title, note)
      .. table.concat(body, '\n'), href('program', nil, '../')) })
end
for _, path in ipairs(sh('ls -d ' .. generated .. '/*/')) do names[#names + 1] = path:match '([^/]+)/$' end
for i, name in ipairs(names) do
  local files = {}
  for _, path in ipairs(sh('ls ' .. generated .. '/' .. name .. '/*.[ch]')) do
    local file = path:match '[^/]*$'
    if not file:match '^support%.' then
      files[#files + 1] = { id = file, name = name .. '/' .. file, file = name .. '/' .. file }
    end
  end
  local function other(j, text, rel)
    return names[j] and ('<a rel="%s" href="%s.html">%s</a>'):format(rel, names[j], text:format(names[j]))
  end
  program_page(name, files, '<code>' .. name .. '</code>',
    'The program complete, with <a href="support.html"><code>support.c</code> and <code>support.h</code></a>, which all programs share.',
    { prev = other(i - 1, '← %s', 'prev'), next = other(i + 1, '%s →', 'next') })
end
program_page('support', {
  { id = 'support.h', name = 'support.h', file = 'support.h' },
  { id = 'support.c', name = 'support.c', file = 'support.c' } },
  '<code>support.c</code>, <code>support.h</code>', 'What all programs share.', {})

-- --- the pages
local function js(s)
  return '"' .. s:gsub('[\\"]', '\\%0'):gsub('\n', '\\n'):gsub('</', '<\\/') .. '"'
end
local search = {}
local function remember(page)                  -- a line a section
  local id, title, text = 'chap-' .. page.id, page.title, {}
  local function flush()
    local t = table.concat(text, ' '):gsub('%s+', ' ')
    search[#search + 1] = ('[%s,%s,%s,%s]'):format(js(page.id .. '.html#' .. id), js(title),
      js((page.number ~= '' and page.number .. ' ' or '') .. page.title), js(t))
    text = {}
  end
  for line in page.body:gmatch '[^\n]+' do
    local level, new, head = line:match '^<h([123]) id="([^"]*)">(.*)</h'
    if level then
      if level ~= '1' then flush() end
      id, title = new, pages.plain(head)
    else
      text[#text + 1] = pages.plain(line)
    end
  end
  flush()
end
local function chunk_data(page)
  local out = {}
  for id in page.body:gmatch '<div class="chunk" id="([^"]*)"' do
    local from = page.body:find('<div class="chunk" id="' .. id .. '"', 1, true)
    local pre = page.body:find('</pre>', from, true)
    local head = page.body:match('<div class="ch">.-</div>', from)
    local code_part = page.body:sub(page.body:find('<pre', from, true), pre + 5)
    out[#out + 1] = js(id) .. ':' .. js(pages.resolve(head .. code_part, href('chunks', nil, '')))
  end
  table.sort(out)
  pages.write(web .. '/data/' .. page.id .. '.js', 'chunkData(' .. js(page.id) .. ',{' .. table.concat(out, ',\n') .. '});\n')
end

for i, page in ipairs(pages.pages) do
  local before, after = pages.pages[i - 1], pages.pages[i + 1]
  put(page.id .. '.html', { title = pages.plain(pages.name(page)), kind = page.kind, toc = toc(page),
    part = page.part and page.kind == 'chapter' and ('<p class="part">part %s · %s</p>'):format(page.part.number, html.escape(page.part.title)) or '',
    prev = before and link(before, '← ' .. pages.name(before), '', 'prev') or '<a rel="prev" href="index.html">← Contents</a>',
    next = after and link(after, pages.name(after) .. ' →', '', 'next'),
    body = with_sections(pages.resolve(page.body, href(page.id, page.id, '')), toc(page)) })
  if page.kind ~= 'back' or page.id == 'answers' then remember(page) end
  chunk_data(page)
end
pages.write(web .. '/data/search.js', 'searchData([\n' .. table.concat(search, ',\n') .. '\n]);\n')

local list = {}
for i, name in ipairs(names) do list[i] = ('<li><a href="program/%s.html"><code>%s</code></a></li>'):format(name, name) end
local cover = '<header class="cover"><h1>Programming<br/> with RDMA</h1>\n<p class="sub">A literate course</p>\n<p class="by">The authors of the course</p></header>\n'
put('index.html', { title = 'Contents', kind = 'front-page', next = link(pages.pages[1], pages.name(pages.pages[1]) .. ' →', '', 'next'),
  body = cover .. '<p class="ways"><a href="book.html">everything on one page</a> · <a href="search.html">search</a></p>\n<nav class="contents" aria-label="Contents">\n'
    .. contents(function(p, s)
      if p.kind == 'planned' then return ' id="chap-' .. p.id .. '"' end
      return ('<a href="%s.html%s">%s</a>'):format(p.id, s and '#' .. s.id or '', s and s.title or pages.name(p))
    end)
    .. '<h2>Programs</h2>\n<ul class="programs">' .. table.concat(list) .. '</ul>\n</nav>\n<section class="notice"><h2>Licence</h2>\n'
    .. pages.resolve(pages.notice, href('index', 'index', '')) .. '</section>' })

local all = {}
for i, page in ipairs(pages.pages) do
  all[i] = '<article>\n' .. pages.resolve(page.body, href('book', page.id, '')) .. '\n</article>'
end
put('book.html', { title = 'Everything on one page', kind = 'book',
  body = cover .. '<nav class="contents" aria-label="Contents">\n' .. contents(function(p, s)
    if p.kind == 'planned' then return '' end
    return ('<a href="#%s">%s</a>'):format(s and s.id or 'chap-' .. p.id, s and s.title or pages.name(p))
  end) .. '</nav>\n' .. table.concat(all, '\n') })

put('search.html', { title = 'Search', kind = 'search-page', body = [[<h1>Search</h1>
<form class="big" action="search.html" role="search"><input type="search" name="q" aria-label="Search the book" autocomplete="off"/></form>
<noscript><p>Searching needs JavaScript. Without it, the <a href="concepts.html">index of concepts</a>, the <a href="identifiers.html">index of identifiers</a> and the <a href="chunks.html">index of chunks</a> lead everywhere.</p></noscript>
<p id="found" role="status"></p>
<ol id="results"></ol>]] })
