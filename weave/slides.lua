-- Slides.  In: a chapter's Markdown, all labels, the bodies of all chunks.
-- Out: LaTeX: \begin{wslide}{id}{title}{core|optional|lab} ... for each slide
-- of the chapter; after a line "%%NOTES", \wnotes{id}{3 minutes}{title} and its notes.
package.path = PANDOC_SCRIPT_FILE:gsub('[^/]*$', '') .. '?.lua;' .. package.path
local lib   = require 'lib'
local code  = require 'code'
local latex = require 'latex'
local refs  = require 'refs'
latex.index = false

local bodies = code.bodies()

local function raw(s) return pandoc.RawInline('latex', s) end
local function rawblock(s) return pandoc.RawBlock('latex', s) end

local weave = {}
local function alone(p)                        -- the only inline of a paragraph
  if #p.content == 1 then return p.content[1] end
end
function weave.Para(p)
  local x = alone(p)
  if x and x.t == 'Code' and lib.is(x, 'use') then
    return rawblock(latex.slide_chunk(x.text, bodies, x.attributes.lines, x.attributes.after or '0'))
  elseif x and x.t == 'Image' then
    return rawblock(latex.graphics(x, x.attributes.after or '0'))
  end
end
function weave.CodeBlock(b)
  if lib.is(b, 'run') then return rawblock(latex.run(b)) end
  return rawblock(latex.listing(b))
end
local text = {}
function text.Code(c)
  if lib.is(c, 'use') then return raw(latex.use(c.text)) end
  if lib.is(c, 'q') then return raw(latex.identifier(c.text)) end
  return raw('\\wq{' .. latex.quoted(c.text) .. '}')
end
function text.Span(s)
  if lib.is(s, 'term') then
    s.content:insert(1, raw '\\wterm{'); s.content:insert(raw '}')
  end
  return s.content
end
local function mark(d)
  local kind = lib.is(d, 'observed') and 'observed' or lib.is(d, 'guaranteed') and 'guaranteed'
  if not kind then return nil end
  local on = d.attributes.on
  d.content:insert(1, rawblock(('\\wmark{%s}{%s}'):format(kind, latex.escape(on and ' on ' .. on or ''))))
  return d.content
end

local function woven(blocks)
  return pandoc.Div(blocks):walk(refs.tables(raw)):walk { Cite = function(c) return refs.cite(c, raw) end }
    :walk(weave):walk(text):walk { Div = mark }.content
end

function Pandoc(doc)
  local slides, notes = pandoc.List {}, pandoc.List {}
  doc:walk { traverse = 'topdown', Div = function(d)
    if not lib.is(d, 'slide') then return nil end
    local line = d.attributes.line
    local title = d.attributes.title
    if d.identifier == '' or not title then lib.fail('a slide needs {.slide #slide:name title="..."}', line) end
    local id = d.identifier:gsub('^slide:', '')
    local minutes = lib.minutes(d)
    local kind = lib.is(d, 'lab') and 'lab' or lib.is(d, 'optional') and 'optional' or 'core'
    local heading = pandoc.read(title, 'markdown').blocks[1]
    local function head(before)
      local list = pandoc.List { raw(before) }
      list:extend(woven { heading }[1].content); list:insert(raw '}')
      return pandoc.Plain(list)
    end
    local body, spoken = pandoc.List {}, pandoc.List {}
    for _, b in ipairs(d.content) do
      if b.t == 'Div' and lib.is(b, 'notes') then spoken:extend(b.content) else body:insert(b) end
    end
    if #spoken == 0 then lib.fail(d.identifier .. ' has no ::: notes', line) end
    -- a figure, a chunk and a run leave room for what follows
    local after = 0
    for i = #body, 1, -1 do
      local b = body[i]
      local x = b.t == 'CodeBlock' and b or b.t == 'Para' and alone(b)
      if x and x.attributes then x.attributes.after = tostring(after) end
      after = after + ((b.t == 'BulletList' or b.t == 'OrderedList') and #b.content or 1)
    end
    slides:insert(head(('\\begin{wslide}{%s}{%s}{'):format(id, kind)))
    slides:extend(woven(body)); slides:insert(rawblock '\\end{wslide}')
    notes:insert(head(('\\wnotes{%s}{%s}{'):format(id, lib.minutes_text(minutes, kind))))
    notes:extend(woven(spoken))
    return nil, false
  end }
  slides:insert(rawblock '%%NOTES')
  slides:extend(notes)
  return pandoc.Pandoc(slides, doc.meta)
end
