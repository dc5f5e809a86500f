-- The pages of the web edition and the EPUB, for weave/site.lua and
-- weave/epub.lua.  In: OUT/manifest.tsv, OUT/web/*.html and *.index (web.lua),
-- LICENSE-FDL.  Out: M.pages, a list of { id, kind, number, title, part,
-- body, sections }, M.defs, [identifier] = the chunks that define it, and
-- M.resolve(), which gives every link its page.
local lib, code, html = require 'lib', require 'code', require 'html'
local M = { pages = {}, parts = {}, where = {}, planned = {}, defs = {} }

function M.read(path)
  local f = io.open(path)
  if not f then return '' end
  local s = f:read 'a'; f:close()
  return s
end
function M.write(path, s)
  if M.read(path) == s then return end
  local f = assert(io.open(path, 'w')); f:write(s); f:close()
end
function M.plain(s)                            -- HTML -> text
  return (s:gsub('<a class="pl".-</a>', ''):gsub('<wbr/>', ''):gsub('<[^>]*>', '')
    :gsub('&lt;', '<'):gsub('&gt;', '>'):gsub('&quot;', '"'):gsub('&amp;', '&'))
end

local function add(page)
  -- a table scrolls by itself; elements without an end are XML, too
  page.body = page.body:gsub('<table', '<div class="scroll"><table'):gsub('</table>', '</table></div>')
  page.sections = {}
  for id, title in page.body:gmatch '<h2 id="([^"]*)">(.-)</h2>' do
    table.insert(page.sections, { id = id, title = title:gsub('<a class="pl".-</a>', ''):gsub('</?a[^>]*>', '') })
  end
  for id in page.body:gmatch ' id="([^"]*)"' do
    if M.where[id] then lib.fail(('"%s" is in %s and in %s'):format(id, M.where[id], page.id)) end
    M.where[id] = page.id
  end
  table.insert(M.pages, page)
end

local function heading(id, title) return ('<h1 id="chap-%s">%s</h1>\n'):format(id, title) end

-- The indexes: as in print, but with sections and chunks for pages.
local function sortkey(s)
  return (s:lower():gsub('[^%w!]', ' '))
end
local function load_indexes(ids)
  local kinds = { c = {}, i = {}, k = {} }
  for _, id in ipairs(ids) do
    for _, r in ipairs(lib.rows(lib.out .. '/web/' .. id .. '.index')) do
      local entry = kinds[r[1]][r[2]] or {}
      kinds[r[1]][r[2]] = entry
      local old = entry[r[5]]
      if not old then
        old = { id = r[4], label = r[5], how = r[3] }
        entry[r[5]] = old; entry[#entry + 1] = old
      elseif r[3] == 'd' and old.how == 'u' then old.how, old.id = 'd', r[4] end
    end
  end
  return kinds
end
local show = {
  c = html.escape,
  i = function(s) return '<code>' .. html.quoted(s) .. '</code>' end,
  k = function(s) return '⟨' .. html.chunk_name(s) .. '⟩' end,
}
local function index(kind, entries)
  local keys, out, letter, above = {}, {}, nil, nil
  for key in pairs(entries) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b)
    local x, y = sortkey(a), sortkey(b)
    if x == y then return a < b end
    return x < y
  end)
  for _, key in ipairs(keys) do
    local first = sortkey(key):match '%S' or ''
    if first ~= letter then
      out[#out + 1] = (letter and '</ul>\n' or '') .. '<ul class="index">'
      letter = first
    end
    local main, sub
    if kind == 'c' then main, sub = key:match '^(.-)!(.*)$' end
    if main and main ~= above and not entries[main] then out[#out + 1] = '<li>' .. show[kind](main) .. '</li>' end
    above = main or key
    local links = {}
    for i, e in ipairs(entries[key]) do
      links[i] = html.link(e.id, html.escape(e.label), e.how == 'd' and 'def' or nil)
    end
    out[#out + 1] = ('<li%s>%s <span class="at">%s</span></li>'):format(main and ' class="sub"' or '',
      show[kind](sub or key), table.concat(links, ', '))
  end
  return table.concat(out, '\n') .. (letter and '</ul>\n' or '')
end

M.notice = [[
<p>Copyright © The authors of the course.</p>
<p>Permission is granted to copy, distribute and/or modify this document under the terms of
the GNU Free Documentation License, Version 1.3 or any later version published by the Free
Software Foundation; with no Invariant Sections, no Front-Cover Texts, and no Back-Cover
Texts. A copy of the license is included in the section “<a href="@fdl">GNU Free
Documentation License</a>”.</p>
<p>The programs in this book may also be used under the terms of the <a
href="@bsd">BSD-2-Clause license</a>.</p>
<p>The programs, this book and its slides are generated from one source.</p>
]]

function M.load()
  local ids, answers = {}, {}
  local part
  for _, r in ipairs(lib.rows(lib.out .. '/manifest.tsv')) do
    local kind, number, id, title = r[1], r[2], r[3], r[5]
    if kind == 'part' then
      part = { number = number, title = title, chapters = {} }
      table.insert(M.parts, part)
    elseif kind == 'planned' then
      table.insert(part.chapters, { kind = kind, number = number, id = id, title = title })
      M.where['chap-' .. id], M.planned['chap-' .. id] = 'index', true
    else
      ids[#ids + 1] = id
      local page = { id = id, kind = kind, number = number, title = title, part = part,
        body = M.read(lib.out .. '/web/' .. id .. '.html') }
      if kind == 'chapter' then table.insert(part.chapters, page) end
      local a = M.read(lib.out .. '/web/' .. id .. '.answers.html')
      if a:find '%S' then
        answers[#answers + 1] = ('<h2 id="answers-%s"><span class="n">%s</span> %s</h2>\n'):format(id, number, title) .. a
      end
      add(page)
    end
  end
  local function back(id, title, body)
    add { id = id, kind = 'back', number = '', title = title, body = heading(id, title) .. body }
  end
  back('answers', 'Answers', table.concat(answers, '\n'))
  back('bibliography', 'Bibliography', M.read(lib.out .. '/web/bibliography.html'))
  local kinds = load_indexes(ids)
  for key, entry in pairs(kinds.i) do
    for _, e in ipairs(entry) do
      if e.how == 'd' then M.defs[key] = M.defs[key] or {}; table.insert(M.defs[key], e) end
    end
  end
  back('concepts', 'Index of concepts', index('c', kinds.c))
  back('identifiers', 'Index of identifiers', index('i', kinds.i))
  back('chunks', 'Index of chunks', index('k', kinds.k))
  back('licence', 'Licence', M.notice
    .. '<h2 id="fdl">GNU Free Documentation License</h2>\n<pre class="text">'
    .. html.escape(M.read 'LICENSE-FDL') .. '</pre>\n<h2 id="bsd">BSD-2-Clause license, for the programs</h2>\n<pre class="text">'
    .. html.escape(M.read 'LICENSE-CODE') .. '</pre>\n')
end

-- href="@target" -> what `place` makes of (page, id); nil: the text alone.
function M.resolve(s, place)
  local function go(before, target, after, text)
    target = target:gsub(':', '-')
    local special = target:match '^program/' or target:match '^figure/'
    local page = M.where[target]
    if not page and not special then lib.fail(('nothing on the web is called "%s"'):format(target)) end
    local href = place(page, target)
    if not href then return text end
    if M.planned[target] then return ('<a class="later" title="To be written" href="%s">%s</a>'):format(href, text) end
    return ('<a%shref="%s"%s>%s</a>'):format(before, href, after, text)
  end
  return (s:gsub('<a([^>]-)href="@([^"]*)"([^>]*)>(.-)</a>', go))
end

-- "1.3 What RDMA does instead" and the like, of a page.
function M.name(page)
  return (page.number ~= '' and '<span class="n">' .. page.number .. '</span> ' or '') .. html.escape(page.title)
end

-- "1, 5, 7-10": the chapters that there are.
function M.present()
  local runs = {}
  for _, p in ipairs(M.pages) do
    local n, last = tonumber(p.number), runs[#runs]
    if p.kind == 'chapter' then
      if last and last[2] == n - 1 then last[2] = n else runs[#runs + 1] = { n, n } end
    end
  end
  for i, r in ipairs(runs) do runs[i] = r[1] == r[2] and r[1] or r[1] .. (r[2] == r[1] + 1 and ' and ' or '–') .. r[2] end
  return table.concat(runs, ', ')
end
return M
