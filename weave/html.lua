-- How the weave speaks HTML: strings in, elements of book/web/style.css out.
-- A link says only where it goes, href="@chunk-1.3"; weave/site.lua and
-- weave/epub.lua know on which page that is.  Identifiers are those of the
-- source, with "-" for ":" (EPUB allows no colon).
-- M.entries collects what the indexes need: { kind, key, u or d, id, label }.
local lib, code = require 'lib', require 'code'
local M = { entries = {}, here = { id = '', label = '' } }

local special = { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;' }
function M.escape(s) return (s:gsub('[&<>"]', special)) end
function M.id(s) return (s:gsub(':', '-')) end
-- In running text, lines may break after _ / . ->
function M.quoted(s)
  return (M.escape(s):gsub('([_/])(%w)', '%1<wbr/>%2'):gsub('([%.])(%a)', '%1<wbr/>%2')
    :gsub('%-&gt;', '-&gt;<wbr/>'))
end
function M.link(id, text, class)
  return ('<a%s href="@%s">%s</a>'):format(class and ' class="' .. class .. '"' or '', M.id(id), text)
end
function M.indexed(kind, key, how, place)
  place = place or M.here
  table.insert(M.entries, { kind, key, how or 'u', place.id, place.label })
end

-- A chunk's name; the name of a file is set as one.
function M.chunk_name(name)
  if code.is_root(name) then return '<code>' .. M.quoted(name) .. '</code>' end
  return '<i>' .. M.quoted(name) .. '</i>'
end
function M.use(name, place)
  local where = code.named[name]
  if not where then lib.fail(('no chunk is called "%s"'):format(name), lib.find(name)) end
  M.indexed('k', name, 'u', place)
  return M.link('chunk-' .. where[1],
    ('⟨%s <small>%s</small>⟩'):format(M.chunk_name(name), where[1]), 'use')
end

-- [[identifier]]
function M.identifier(name)
  local where = code.definition(name)
  local key = name:gsub('%(.*%)$', ''):gsub('^struct ', ''):gsub('^enum ', '')
  local text = '<code>' .. M.quoted(name) .. '</code>'
  if where then
    M.indexed('i', key)
    return M.link('chunk-' .. where, text, 'id')
  elseif code.is_library(key) then
    M.indexed('i', key)
    return M.library(key, text)
  end
  return text
end
function M.library(name, text)
  if M.labels and M.labels['sec:' .. name] then return M.link('sec:' .. name, text, 'id') end
  return text
end

local class = { key = 'k', comment = 'c', string = 's' }

-- Tokens of one line -> HTML.  names[identifier] = chunk, of those defined
-- elsewhere; what `own` says is defined here is marked.
function M.line(tokens, number, names, own)
  local out, place = {}, { id = 'chunk-' .. number, label = number }
  for _, t in ipairs(tokens) do
    local kind, text, target = t[1], t[2], t[3]
    local shown = M.escape(text)
    if kind == 'use' then
      shown = M.use(text, place)
    elseif kind == 'name' and target and target ~= number then
      if names then names[text] = target end
      shown = M.link('chunk-' .. target, shown, 'id')
    elseif kind == 'name' and code.is_library(text) then
      shown = M.library(text, shown)
    elseif kind == 'name' and own and own[text] then
      shown = '<b class="d">' .. shown .. '</b>'
    elseif class[kind] then
      local indent, rest = shown:match '^( *)(.*)$'
      shown = ('%s<span class="%s">%s</span>'):format(indent, class[kind], rest)
    else
      shown = shown:gsub('%-&gt;', '<span class="o">%0</span>')  -- no line ends after its hyphen
    end
    if kind == 'name' and number ~= '' and (target and target ~= number or code.is_library(text)) then
      M.indexed('i', text, 'u', place)
    end
    out[#out + 1] = shown
  end
  return table.concat(out)
end
-- A line of a listing: the newline at its end is for copying; --i is its
-- indent, below which hangs what does not fit.
function M.row(html, attributes, before)
  local blanks = #html:match '^ *'
  return ('<span class="l"%s%s>%s%s\n</span>'):format(attributes or '',
    blanks > 0 and (' style="--i:%d"'):format(blanks) or '', before or '', html)
end

local function numbers(list)
  local out = {}
  for i, n in ipairs(list) do out[i] = M.link('chunk-' .. n, n) end
  return table.concat(out, ', ')
end

-- "used in 10.1; continued in 10.7"
local function footer(name, number)
  local out, all = {}, code.named[name]
  local self
  for i, n in ipairs(all) do if n == number then self = i end end
  local users = code.used_by[name]
  local program, file = name:match '^([%w-]+)/([%w._-]+)$'
  if users then out[#out + 1] = 'used in ' .. numbers(users)
  elseif name:match '^%*/' then
    out[#out + 1] = ('a file in the folder of <a href="@program/support#%s">every program</a>'):format(name:match '[^/]*$')
  elseif code.is_root(name) and program then
    out[#out + 1] = ('a file of the program: <a href="@program/%s#%s">the whole file</a>'):format(program, file)
  end
  if self > 1 then out[#out + 1] = 'begun in ' .. numbers { all[1] } end
  if all[self + 1] then out[#out + 1] = 'continued in ' .. numbers { all[self + 1] } end
  return table.concat(out, '; '):gsub('^%l', string.upper), self > 1 and '+' or ''
end

function M.chunk(el)
  local chunk, number = code.parse(el.text), el.attributes.num
  chunk.number = number
  local tokens = code.tokens(chunk, code.language(chunk.name), tonumber(el.attributes.line), 72)
  local place, own, names, rows = { id = 'chunk-' .. number, label = number }, {}, {}, {}
  M.indexed('k', chunk.name, 'd', place)
  for _, d in ipairs(chunk.defs) do
    own[d:gsub('^struct ', '')] = true
    M.indexed('i', d:gsub('^struct ', ''), 'd', place)
  end
  for i, line in ipairs(tokens) do rows[i] = M.row(M.line(line, number, names, own)) end
  local see, order = {}, {}
  for name in pairs(names) do order[#order + 1] = name end
  table.sort(order)
  for i, name in ipairs(order) do
    see[i] = ('<span>%s %s</span>'):format(M.link('chunk-' .. names[name], '<code>' .. M.quoted(name) .. '</code>'), names[name])
  end
  local foot, plus = footer(chunk.name, number)
  return table.concat {
    ('<div class="chunk" id="chunk-%s" role="group" aria-label="Chunk %s">\n'):format(number, number),
    #see > 0 and '<p class="see">Defined elsewhere: ' .. table.concat(see, ' ') .. '</p>\n' or '',
    ('<div class="ch">⟨%s <a class="num" href="@chunk-%s">%s</a>⟩%s≡</div>\n'):format(
      M.chunk_name(chunk.name), number, number, plus),
    '<pre class="code"><code>', table.concat(rows), '</code></pre>\n',
    foot ~= '' and '<div class="cf">' .. foot .. '.</div>\n' or '', '</div>' }
end

-- A program's file: it has a page of its own (weave/epub.lua puts it here).
function M.program(path)
  local program, file = path:match '^(.-)/?([^/]*)$'
  return ('<p class="listing"><a href="@program/%s#%s"><code>%s</code></a></p>'):format(
    program ~= '' and program or 'support', file, path)
end

-- A fenced block that is no chunk.
function M.listing(el)
  local chunk, rows = { lines = {} }, {}
  for row in (el.text .. '\n'):gmatch '(.-)\n' do
    chunk.lines[#chunk.lines + 1] = { { 'text', row } }
  end
  local lang = lib.is(el, 'c') and 'c' or 'text'
  for i, line in ipairs(code.tokens(chunk, lang, tonumber(el.attributes.line), 72)) do
    rows[i] = M.row(M.line(line, ''))
  end
  return '<pre class="listing"><code>' .. table.concat(rows) .. '</code></pre>'
end

-- A recorded run: what is typed is bold; another host's output carries its name.
M.anchored = {}
function M.run(el)
  local out, current, hosts = {}, nil, 0
  for _, l in ipairs(lib.transcript(el)) do
    local text = l.text:gsub('\t', '    '):gsub('\27%[[%d;]*m', ''):gsub('\r', '')
    local html = M.escape(text)
    local tag = ''
    if l.typed then
      html = html:gsub('%f[%S]%-[%w-]+', '<span class="o">%0</span>')  -- an option stays whole
      html = ('<span class="p">%s$ </span><b>%s</b>'):format(l.host == 'host' and '' or l.host, html)
    elseif l.host ~= current then
      tag = ('<span class="tag">%s</span>'):format(l.host == 'host' and '' or l.host)
    end
    if l.host ~= current then hosts = hosts + 1 end
    current = l.host
    out[#out + 1] = ('<span class="l%s">%s%s\n</span>'):format(l.typed and ' t' or '', tag, html)
  end
  local anchor = ''                            -- shown again elsewhere, it has one anchor
  if el.identifier ~= '' and not M.anchored[el.identifier] then
    M.anchored[el.identifier] = true
    anchor = (' id="%s"'):format(M.id(el.identifier))
  end
  return ('<pre class="run%s"%s><code>%s</code></pre>'):format(hosts > 1 and ' hosts' or '', anchor, table.concat(out))
end

return M
