-- Slides for the browser.  In: a chapter's Markdown, all labels, the bodies of
-- all chunks.  Out: a <section> for each slide of the chapter, its notes in an
-- <aside class="notes">, with a line "%%FOOT" where the page's foot belongs.
-- Links lead to the web edition, which lies beside the slides.
package.path = PANDOC_SCRIPT_FILE:gsub('[^/]*$', '') .. '?.lua;' .. package.path
local lib  = require 'lib'
local code = require 'code'
local html = require 'html'
local refs = require 'refs'
html.labels = refs.labels

local bodies = code.bodies()

-- "@chunk-10.3" -> "../web/work-requests.html#chunk-10.3"
local page = {}
for id, label in pairs(refs.labels) do page[html.id(id)] = not label.planned and label.chapter or nil end
for number, chunk in pairs(code.chunks) do page['chunk-' .. number] = chunk.chapter end
local function resolved(s)
  return (s:gsub('<a([^>]-) href="@([^"]*)"([^>]*)>(.-)</a>', function(before, id, after, text)
    local p = page[id]
    if not p then return text end
    return ('<a%s href="../web/%s.html%s"%s>%s</a>'):format(before, p, id == 'chap-' .. p and '' or '#' .. id, after, text)
  end))
end
local function raw(s) return pandoc.RawInline('html', resolved(s)) end
local function rawblock(s) return pandoc.RawBlock('html', resolved(s)) end

-- Code takes the room that is left: the style sheet sizes it by its lines and
-- columns.  A blank line is half a line high.
local function fitted(kind, lines, columns, inner)
  return ('<div class="fit %s" style="--lines: %.1f; --cols: %d">%s</div>'):format(kind, lines, columns, inner)
end
local function size_of(texts)
  local lines, columns = 0, 1
  for _, text in ipairs(texts) do
    lines = lines + (text:find '%S' and 1 or .5)
    columns = math.max(columns, utf8.len(text) or #text)
  end
  return lines, columns
end
-- The rows of a run's line that wraps at its blanks, or where it must.
local function rows_of(s, width)
  local rows = 1
  while (utf8.len(s) or #s) > width do
    local cut = utf8.offset(s, width) or width
    local blank = s:sub(1, cut - 1):match '^.*%S() '
    s = s:sub(blank and blank + 1 or cut)
    rows = rows + 1
  end
  return rows
end
local function plain(tokens)
  local out = {}
  for i, t in ipairs(tokens) do out[i] = t[1] == 'use' and '<' .. t[2] .. ' 10.10>' or t[2] end
  return table.concat(out)
end
local function half(row) return (row:gsub('^<span class="l"(>%s*\n</span>)$', '<span class="l h"%1')) end

local function chunk(name, lines)
  local number, body, tokens, below, following = code.excerpt(name, bodies, lines)
  local own, rows, texts = {}, {}, {}
  for _, d in ipairs(body.defs) do own[d:gsub('^struct ', '')] = true end
  for i, line in ipairs(tokens) do
    rows[i], texts[i] = half(html.row(html.line(line, number, nil, own))), plain(line)
  end
  local link = html.link('chunk-' .. number, number, 'num')
  local count, columns = size_of(texts)
  return ('<div class="ch">⟨%s %s⟩≡</div>\n'):format(html.chunk_name(name), link)
    .. fitted('chunk', count, columns, '<pre class="code"><code>' .. table.concat(rows) .. '</code></pre>')
    .. ('\n<p class="cf">book, chunk %s%s%s</p>'):format(html.link('chunk-' .. number, number), below,
      following and '; continued in ' .. html.link('chunk-' .. following, following) or '')
end

local function listing(b)
  local texts = {}
  for row in (b.text .. '\n'):gmatch '(.-)\n' do texts[#texts + 1] = row end
  local lines, columns = size_of(texts)
  return fitted('listing', lines, columns, html.listing(b):gsub(' class="listing"', ''))
end
local wrap = 76
local function run(b)
  local texts, hosts, current = {}, 0, nil
  for i, l in ipairs(lib.transcript(b)) do
    local text = l.text:gsub('\27%[[%d;]*m', '')
    texts[i] = (l.typed and (l.host == 'host' and '' or l.host) .. '$ ' or '') .. text .. ' '
    if l.host ~= current then hosts = hosts + 1; current = l.host end
  end
  local _, columns = size_of(texts)
  columns = math.min(columns, wrap)
  local lines = 0
  for _, s in ipairs(texts) do lines = lines + rows_of(s, columns) end
  html.anchored[b.identifier] = true           -- its anchor is in the book
  return fitted('runs', lines, columns + (hosts > 1 and 9 or 0), html.run(b))
end

local function alone(p)                        -- the only inline of a paragraph
  if #p.content == 1 then return p.content[1] end
end
local alts = {}                                -- of drawings, where the book shows them
local weave = {}
function weave.Para(p)
  local x = alone(p)
  if x and x.t == 'Code' and lib.is(x, 'use') then
    return rawblock(chunk(x.text, x.attributes.lines))
  elseif x and x.t == 'Image' then
    local name, alt = lib.figure(x)
    if not x.attributes.alt then alt = alts[name] or alt end
    return rawblock(('<img class="fig" src="figures/%s.svg" alt="%s"/>'):format(
      name, html.escape((alt ~= '' and alt or 'Figure: ' .. name):gsub('%s+', ' '))))
  end
end
function weave.CodeBlock(b)
  if lib.is(b, 'run') then return rawblock(run(b)) end
  return rawblock(listing(b))
end
local text = {}
function text.Code(c)
  if lib.is(c, 'use') then return raw(html.use(c.text)) end
  if lib.is(c, 'q') then return raw(html.identifier(c.text)) end
  return raw('<code>' .. html.quoted(c.text) .. '</code>')
end
function text.Span(s)
  if lib.is(s, 'term') then return pandoc.Span(s.content, pandoc.Attr('', { 'term' })) end
  return s.content
end
local function mark(d)
  local kind = lib.is(d, 'observed') and 'observed' or lib.is(d, 'guaranteed') and 'guaranteed'
  if not kind then return nil end
  local on = d.attributes.on
  d.content:insert(1, rawblock(('<p class="mark">%s%s</p>'):format(kind, on and html.escape(' on ' .. on) or '')))
  return pandoc.Div(d.content, pandoc.Attr('', { kind }))
end
-- refs.lua speaks LaTeX; a reference is \wref{text}{id} or \wlink{id}{text}.
local function reference(s)
  local id, shown = s:match '^\\wlink{(.-)}{(.*)}$'
  if not id then shown, id = s:match '^\\wref{(.-)}{(.-)}$' end
  return raw(id and html.link(id, html.escape(shown), 'ref') or html.escape(s))
end
local function woven(blocks)
  return pandoc.Div(blocks):walk(refs.tables(reference)):walk { Cite = function(c) return refs.cite(c, reference) end }
    :walk(weave):walk(text):walk { Div = mark }.content
end

function Pandoc(doc)
  doc:walk { Image = function(x)
    local name = lib.figure(x)
    alts[name] = alts[name] or x.attributes.alt
  end }
  local slides = pandoc.List {}
  doc:walk { traverse = 'topdown', Div = function(d)
    if not lib.is(d, 'slide') then return nil end
    local line, title = d.attributes.line, d.attributes.title
    if d.identifier == '' or not title then lib.fail('a slide needs {.slide #slide:name title="..."}', line) end
    local minutes = lib.minutes(d)
    local kind = lib.is(d, 'lab') and 'lab' or lib.is(d, 'optional') and 'optional' or 'core'
    local body, spoken = pandoc.List {}, pandoc.List {}
    for _, b in ipairs(d.content) do
      if b.t == 'Div' and lib.is(b, 'notes') then spoken:extend(b.content) else body:insert(b) end
    end
    if #spoken == 0 then lib.fail(d.identifier .. ' has no ::: notes', line) end
    local head = pandoc.List { raw '<h2><span>' }
    head:extend(woven { pandoc.read(title, 'markdown').blocks[1] }[1].content)
    head:insert(raw('</span>' .. (kind ~= 'core' and '<small>' .. kind .. '</small>' or '') .. '</h2>'))
    slides:insert(rawblock(('<section id="%s" class="slide %s" data-timing="%d">'):format(html.id(d.identifier), kind, 60 * minutes)))
    slides:insert(pandoc.Plain(head))
    slides:insert(rawblock '<div class="body">')
    slides:extend(woven(body))
    slides:insert(rawblock('</div>\n%%FOOT\n<aside class="notes"><p><i>' .. lib.minutes_text(minutes, kind) .. '</i></p>'))
    slides:extend(woven(spoken))
    slides:insert(rawblock '</aside>\n</section>')
    return nil, false
  end }
  return pandoc.Pandoc(slides, doc.meta)
end
