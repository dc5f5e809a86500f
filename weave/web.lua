-- Second pass for the web and the EPUB.  In: a chapter's Markdown and all
-- labels.  Out: HTML without a page around it, in which links name their
-- targets only (html.lua); after a line "%%ANSWERS", that of the answers; and
-- OUT/web/NAME.index, a line an index entry.
package.path = PANDOC_SCRIPT_FILE:gsub('[^/]*$', '') .. '?.lua;' .. package.path
local lib  = require 'lib'
local html = require 'html'
local refs = require 'refs'
local sort = require 'sort'
local raw, rawblock = sort.raw 'html'
local inlines = sort.inlines
local function around(before, list, after) return sort.around(raw(before), list, raw(after)) end

-- An exercise and its answer, each with a link to the other.
local function linked(class, id, name, other, title, kind)
  return around(('<h3><a href="@%s">%s</a> <span>'):format(id, name), inlines(title),
    ('</span> %s<a class="to" href="@%s">%s</a></h3>'):format(kind or '', other, class == 'answer' and 'Exercise' or 'Answer'))
end
local parts = sort.filter('web', function(d, number, body)
  local id = html.id(d.identifier)
  body:insert(1, linked('exercise', id, 'Exercise ' .. number, 'answer-' .. id, d.attributes.title,
    ('<small class="kind">%s</small> '):format(d.attributes.kind)))
  return pandoc.Div(body, pandoc.Attr(id, { 'exercise' }))
end, function(d, number, body)
  local id = html.id(d.identifier)
  body:insert(1, linked('answer', 'answer-' .. id, number, id, d.attributes.title))
  return { pandoc.Div(body, pandoc.Attr('answer-' .. id, { 'answer' })) }
end)

-- The rest in the order of the text, so that an index entry knows its section.
local weave = { traverse = 'topdown' }

function weave.Header(h)
  local n = h.level
  local id = html.id(n == 1 and 'chap:' .. h.identifier or h.identifier)
  if n == 2 and id == '' then                  -- Summary, Exercises
    id = lib.id .. '-' .. pandoc.utils.stringify(h.content):lower():gsub('[^%w]+', '-')
  end
  local label = refs.labels[n == 1 and 'chap:' .. h.identifier or h.identifier]
  local number = label and (label.kind == 'sec' or n == 1) and label.number or ''
  if id ~= '' then
    local title = lib.chapter.title
    if lib.chapter.number ~= '' then
      title = (lib.chapter.kind == 'appendix' and 'appendix ' or 'chapter ') .. lib.chapter.number
    end
    html.here = { id = id, label = n > 1 and number ~= '' and '§' .. number or title:gsub('^%u', string.lower) }
  end
  return around(('<h%d%s>'):format(n, id ~= '' and ' id="' .. id .. '"' or '')
      .. (number ~= '' and '<span class="n">' .. number .. '</span> ' or ''), h.content,
    (id ~= '' and n > 1 and ('<a class="pl" href="@%s" aria-label="Link to this section">§</a>'):format(id) or '')
      .. ('</h%d>'):format(n))
end

function weave.Para(p)
  if #p.content == 1 and p.content[1].t == 'Image' then
    local image = p.content[1]
    local label = refs.labels[image.identifier]
    local name, alt = lib.figure(image)
    if alt == '' then lib.complain('figure ' .. image.src .. ' has no alt="..."', lib.find(image.src)) end
    local draw = ('<a class="fig" href="@figure/%s"><img src="figures/%s.svg" alt="%s"/></a>'):format(
      name, name, html.escape(alt:gsub('%s+', ' ')))
    if not label then return rawblock('<figure>' .. draw .. '</figure>') end
    local id = html.id(image.identifier)
    return around(('<figure id="%s">%s<figcaption><a href="@%s">Figure %s.</a> '):format(id, draw, id, label.number),
      image.caption, '</figcaption></figure>')
  end
end

function weave.CodeBlock(b)
  if lib.is(b, 'chunk') then return rawblock(html.chunk(b)) end
  if lib.is(b, 'run') then return rawblock(html.run(b)) end
  if lib.is(b, 'program') then return rawblock(html.program(b.attributes.file)) end
  return rawblock(html.listing(b))
end

function weave.Div(d)
  if lib.is(d, 'guaranteed') or lib.is(d, 'observed') then
    local kind = lib.is(d, 'observed') and 'observed' or 'guaranteed'
    local on = d.attributes.on
    if kind == 'observed' and not on then lib.fail('::: observed needs on="..."', d.attributes.line) end
    local mark = raw(('<span class="mark">%s%s</span> '):format(kind, on and html.escape(' on ' .. on) or ''))
    local first = d.content[1]
    if first and first.t == 'Para' then
      local list = pandoc.List { mark }
      list:extend(first.content)
      d.content[1] = pandoc.Para(list)
    else
      d.content:insert(1, pandoc.Plain { mark })
    end
    return pandoc.Div(d.content, pandoc.Attr('', { kind }))
  end
  if d.identifier:match '^tab:' then
    local id, body = html.id(d.identifier), pandoc.List {}
    for _, b in ipairs(d.content) do
      if b.t == 'Table' then
        local caption = b.caption.long[1] and b.caption.long[1].content or pandoc.List {}
        if #caption == 0 then lib.fail(d.identifier .. ' has no caption (a line ": text")', d.attributes.line) end
        body:insert(around(('<p class="tc"><a href="@%s">Table %s.</a> '):format(id, refs.labels[d.identifier].number),
          caption, '</p>'))
        b.caption = { long = {} }
      end
      body:insert(b)
    end
    return pandoc.Div(body, pandoc.Attr(id, { 'tab' }))
  end
  d.attributes.line = nil
  return d
end

function weave.Code(c)
  if lib.is(c, 'use') then return raw(html.use(c.text)) end
  if lib.is(c, 'q') then return raw(html.identifier(c.text)) end
  return raw('<code>' .. html.quoted(c.text) .. '</code>')
end

local terms = 0
function weave.Span(s)
  local words = s.attributes.key or pandoc.utils.stringify(s.content)
  if not lib.is(s, 'term') and not lib.is(s, 'index') then return nil end
  terms = terms + 1
  local id = ('term-%s-%d'):format(lib.id, terms)
  local term = lib.is(s, 'term')
  html.indexed('c', words, term and 'd' or 'u', { id = id, label = html.here.label })
  return pandoc.Span(s.content, pandoc.Attr(id, term and { 'term' } or {}))
end

-- refs.lua speaks LaTeX; a reference is \wref{text}{id} or \wlink{id}{text}.
local function reference(s)
  local id, shown = s:match '^\\wlink{(.-)}{(.*)}$'
  if not id then shown, id = s:match '^\\wref{(.-)}{(.-)}$' end
  return raw(id and html.link(id, html.escape(shown), 'ref') or html.escape(s))
end

function Pandoc(doc)
  html.labels = refs.labels
  local main = doc:walk(parts).blocks
  main:insert(rawblock '%%ANSWERS')
  main:extend(sort.answers)
  local all = pandoc.Pandoc(main, doc.meta):walk(refs.tables(reference)):walk(refs.capitals)
    :walk { Cite = function(c) return refs.cite(c, reference) end }:walk(weave)
  local f = assert(io.open(lib.out .. '/web/' .. lib.id .. '.index', 'w'))
  for _, e in ipairs(html.entries) do f:write(table.concat(e, '\t'), '\n') end
  f:close()
  return all
end
