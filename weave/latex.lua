-- How the weave speaks LaTeX: strings in, macros of book/macros.tex out.
local lib, code = require 'lib', require 'code'
local M = { index = true }        -- index: write index entries and links

local special = {
  ['\\'] = '\\textbackslash{}', ['{'] = '\\{', ['}'] = '\\}', ['$'] = '\\$',
  ['&'] = '\\&', ['#'] = '\\#', ['%'] = '\\%', ['_'] = '\\_',
  ['^'] = '\\textasciicircum{}', ['~'] = '\\textasciitilde{}',
}
function M.escape(s) return (s:gsub('[\\{}$&#%%_^~]', special)) end
-- Code: every blank counts.  In running text, lines may break after _ / . ->
function M.code(s) return (M.escape(s):gsub(' ', '\\ ')) end
function M.quoted(s)
  return (M.escape(s):gsub('\\_', '\\_\\wbr{}'):gsub('([/.>])(%w)', '%1\\wbr{}%2'))
end

local function index(kind, key, how)
  if not M.index then return '' end
  return ('\\windex{%s}{%s}{%s}'):format(kind, M.escape(key), how or 'u')
end
M.indexed = index

local function link(number, text)
  if not (number and M.index) then return text end
  return ('\\wlink{chunk-%s}{%s}'):format(number, text)
end

-- A chunk's name in code or text: name and number of its first definition.
-- Quotes in names of chunks ("*/support.c") are of the program's files: typewriter.
function M.chunk_name(name)
  if code.is_root(name) then return '\\wfile{' .. M.escape(name) .. '}' end
  return M.quoted(name)
end
function M.use(name, line)
  local where = code.named[name]
  if not where then lib.fail(('no chunk is called "%s"'):format(name), line or lib.find(name)) end
  return ('\\wuse{%s}{%s}{%s}'):format(M.index and 'chunk-' .. where[1] or '',
    M.chunk_name(name), where[1]) .. index('k', name)
end

-- [[identifier]]
function M.identifier(name)
  local where = code.definition(name)
  local key = name:gsub('%(.*%)$', ''):gsub('^struct ', ''):gsub('^enum ', '')
  local text = '\\wq{' .. M.quoted(name) .. '}'
  if where then return link(where, text) .. index('i', key) end
  if code.is_library(key) then
    text = M.library(key, text)
    return text .. index('i', key)
  end
  return text
end
function M.library(name, text)
  if M.index and M.labels and M.labels['sec:' .. name] then
    return ('\\wlink{sec:%s}{%s}'):format(name, text)
  end
  return text
end

-- A figure's macro.
function M.graphics(image, option)
  local name, _, missing = lib.figure(image)
  if missing then return '\\wnofigure{' .. M.escape(image.src) .. '}' end
  return '\\wgraphics' .. (option and '[' .. option .. ']' or '') .. '{' .. name .. '}'
end

local macro = { key = 'wkey', comment = 'wcomment', string = 'wstring' }

-- Lines of tokens -> LaTeX, the set of identifiers defined elsewhere.
function M.lines(lines, number)
  local out, names, order = {}, {}, {}
  for n, tokens in ipairs(lines) do
    local line = {}
    for _, t in ipairs(tokens) do
      local kind, text, target = t[1], t[2], t[3]
      if kind == 'use' then
        line[#line + 1] = M.use(text)
      elseif kind == 'name' then
        local shown = M.code(text)
        if target and target ~= number then
          if not names[text] then names[text] = target; order[#order + 1] = text end
          shown = link(target, shown)
        elseif code.is_library(text) then
          shown = M.library(text, shown)
        end
        if target and target ~= number or code.is_library(text) then
          shown = shown .. index('i', text)
        end
        line[#line + 1] = shown
      elseif macro[kind] then
        local indent, rest = text:match '^( *)(.*)$'
        line[#line + 1] = M.code(indent) .. '\\' .. macro[kind] .. '{' .. M.code(rest) .. '}'
      else
        line[#line + 1] = M.code(text)
      end
    end
    local text = table.concat(line)
    if not text:gsub('\\ ', ''):find '%S' then
      out[n] = '\\wblank'
    else
      -- a short chunk stays whole; a long one breaks neither near its ends nor before a brace
      local first = tokens[1] and tokens[1][2] or ''
      local keep = #lines <= 16 or n <= 4 or n >= #lines - 3 or first:match '^%s*[{}]'
      out[n] = (keep and '\\wkeep{' or '\\wline{') .. text .. '}'
    end
  end
  return table.concat(out, '\n'), names, order
end

-- A line of a program's listing, with its chunk's number or nil.
function M.program_line(tokens, number)
  local out = {}
  for _, t in ipairs(tokens) do
    local text = M.code(t[2])
    out[#out + 1] = macro[t[1]] and '\\' .. macro[t[1]] .. '{' .. text .. '}' or text
  end
  return ('\\wprogramline{%s}{%s}'):format(
    number and ('\\wlink{chunk-%s}{%s}'):format(number, number) or '', table.concat(out))
end

local function numbers(list)
  local out = {}
  for _, n in ipairs(list) do
    out[#out + 1] = M.index and ('\\wchunkref{%s}'):format(n) or n
  end
  return table.concat(out, ', ')
end

-- "used in 10.1, continued in 10.7"
local function footer(name, number)
  local out, all = {}, code.named[name]
  local self
  for i, n in ipairs(all) do if n == number then self = i end end
  local users = code.used_by[name]
  if users then out[#out + 1] = 'used in ' .. numbers(users)
  elseif name:match '^%*/' then out[#out + 1] = 'a file in the folder of every program'
  elseif code.is_root(name) and name:match '^[%w-]+/[%w._-]+$' then out[#out + 1] = 'a file of the program'
  end
  if self > 1 then out[#out + 1] = 'begun in ' .. numbers { all[1] } end
  if all[self + 1] then out[#out + 1] = 'continued in ' .. numbers { all[self + 1] } end
  return table.concat(out, '; '), self > 1 and '+' or ''
end

function M.chunk(el)
  local chunk, number = code.parse(el.text), el.attributes.num
  chunk.number = number
  local tokens = code.tokens(chunk, code.language(chunk.name), tonumber(el.attributes.line), 72)
  local body, names, order = M.lines(tokens, number)
  local foot, plus = footer(chunk.name, number)
  local margin, seen = {}, {}
  table.sort(order)
  for _, name in ipairs(order) do
    local key = names[name] .. name
    if not seen[key] then
      margin[#margin + 1] = ('\\wsee{%s}{%s}'):format(M.quoted(name), names[name])
      seen[key] = true
    end
  end
  local defs = {}
  for _, d in ipairs(chunk.defs) do defs[#defs + 1] = index('i', (d:gsub('^struct ', '')), 'd') end
  return ('\\begin{wchunk}{%s}{%s}{%s}{%s}{%s}\n%s\n\\end{wchunk}\\wfoot{%s}'):format(
    number, M.chunk_name(chunk.name), plus, table.concat(margin),
    index('k', chunk.name, 'd') .. table.concat(defs), body, foot)
end

-- The same on a slide: a chunk's first definition, or some lines of it.
function M.slide_chunk(name, bodies, lines, after)
  local number, chunk, tokens, below, following = code.excerpt(name, bodies, lines)
  local blanks, columns = 0, 1
  for _, t in ipairs(tokens) do
    local width = 0
    for _, part in ipairs(t) do width = width + utf8.len(part[2]) + (part[1] == 'use' and 6 or 0) end
    columns = math.max(columns, width)
    if #t == 0 or (#t == 1 and not t[1][2]:find '%S') then blanks = blanks + 1 end
  end
  return ('\\wcolumns{%d}\\wlines[%s]{%d}\\begin{wchunk}{%s}{%s}{}{}{}\n%s\n\\end{wchunk}\\wfoot{book \\wbookpage{%s}%s%s}'):format(
    columns, after, #tokens - blanks // 2, number, M.chunk_name(name), (M.lines(tokens, number)), number, below,
    following and '; continued in ' .. following or '')
end

-- A fenced block that is no chunk.
function M.listing(el)
  local chunk = { lines = {} }
  for row in (el.text .. '\n'):gmatch '(.-)\n' do
    chunk.lines[#chunk.lines + 1] = { { 'text', row } }
  end
  local lang = lib.is(el, 'c') and 'c' or 'text'
  local line = tonumber(el.attributes.line)
  local body = M.lines(code.tokens(chunk, lang, line, 72), '')
  return '\\begin{wlisting}\n' .. body .. '\n\\end{wlisting}'
end

-- A recorded run.
M.anchored = {}
local columns = 76
local function wrapped(s, width)
  local rows = {}
  while utf8.len(s) > width do
    local cut = utf8.offset(s, width)
    local blank = s:sub(1, cut - 1):match '^.*() '
    if blank and blank > cut / 2 then cut = blank + 1 end
    rows[#rows + 1] = s:sub(1, cut - 1)
    s = s:sub(cut)
    width = columns - 3
  end
  rows[#rows + 1] = s
  return rows
end
function M.run(el)
  local out, current = {}, nil
  local lines = lib.transcript(el)
  for n, l in ipairs(lines) do
    local tag = ''
    local prompt = l.typed and (l.host == 'host' and '$ ' or l.host .. '$ ') or ''
    if not l.typed and l.host ~= current then tag = '\\wtag{' .. M.escape(l.host) .. '}' end
    local text = l.text:gsub('\t', '    '):gsub('\27%[[%d;]*m', ''):gsub('\r', '')
    local rows = wrapped(text, columns - #prompt)
    for i, row in ipairs(rows) do
      local body = M.code(row)
      if l.typed then
        body = (i == 1 and '\\wprompt{' .. M.code(prompt) .. '}' or '') .. '\\wtyped{' .. body .. '}'
      end
      local more = i > 1 and '\\whook{}' or ''
      local keep = (#lines <= 18 or n <= 2 or n >= #lines - 1 or i > 1)
      out[#out + 1] = (l.typed and n > 1 and i == 1 and (keep and n <= 6 and '\\nobreak' or '') .. '\\wgap{}' or '')
        .. (keep and not (l.typed and n > 6) and '\\wkeep{' or '\\wline{') .. tag .. more .. body .. '}'
      tag = ''
    end
    current = l.host
  end
  local anchor = ''                            -- shown again elsewhere, it has one anchor
  if M.index and el.identifier ~= '' and not M.anchored[el.identifier] then
    M.anchored[el.identifier] = true
    anchor = '\\wlabel{' .. el.identifier .. '}'
  end
  return '\\wlines[' .. (el.attributes.after or '0') .. ']{' .. #out .. '}\\begin{wrun}' .. anchor .. '\n' .. table.concat(out, '\n') .. '\n\\end{wrun}'
end

return M
