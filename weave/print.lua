-- Second pass.  In: a chapter's Markdown and all labels (build/weave/*.tsv).
-- Out: LaTeX for the book; after a line "%%ANSWERS", that of the answers.
package.path = PANDOC_SCRIPT_FILE:gsub('[^/]*$', '') .. '?.lua;' .. package.path
local lib   = require 'lib'
local latex = require 'latex'
local refs  = require 'refs'
local sort  = require 'sort'
local raw, rawblock = sort.raw 'latex'
local inlines = sort.inlines
local function around(before, list, after) return sort.around(raw(before), list, raw(after)) end

local parts = sort.filter('print', function(d, number, body)
  body:insert(1, around(('\\wexercise{%s}{%s}{%s}{'):format(number, d.identifier, latex.escape(d.attributes.kind or '')),
    inlines(d.attributes.title), '}'))
  body:insert(rawblock('\\wendexercise'))
  return body
end, function(d, number, body)
  body:insert(1, around(('\\wanswer{%s}{%s}{'):format(number, d.identifier), inlines(d.attributes.title), '}'))
  return body
end)

local weave = {}

function weave.Header(h)
  if h.level == 1 then
    return around(('\\wchapter{%s}{%s}{'):format(lib.chapter.number, h.identifier), h.content, '}')
  end
  local macro = ({ 'chapter', 'section', 'subsection' })[h.level] or 'subsubsection'
  if lib.chapter.number == '' or lib.is(h, 'unnumbered') then macro = 'w' .. macro .. 'star' end
  return around('\\' .. macro .. '{', h.content,
    '}' .. (h.identifier ~= '' and '\\wlabel{' .. h.identifier .. '}' or ''))
end

function weave.Para(p)
  if #p.content == 1 and p.content[1].t == 'Image' then
    local image = p.content[1]
    local label = refs.labels[image.identifier]
    local _, alt = lib.figure(image)
    if alt == '' then
      lib.complain('figure ' .. image.src .. ' has no alt="..."', lib.find(image.src))
    end
    local draw = latex.graphics(image)
    if not label then
      return pandoc.Plain { raw('\\begin{center}' .. draw .. '\\end{center}') }
    end
    return around(('\\begin{figure}[htbp]\\wlabel{%s}\\centering %s\\wcaption{Figure %s}{'):format(
      image.identifier, draw, label.number), image.caption, '}\\end{figure}')
  end
end

function weave.CodeBlock(b)
  if lib.is(b, 'chunk') then return rawblock(latex.chunk(b)) end
  if lib.is(b, 'run') then return rawblock(latex.run(b)) end
  if lib.is(b, 'program') then
    return rawblock('\\wprogramfile{' .. latex.escape(b.attributes.file) .. '}'
      .. require('programs').latex(b.attributes.file))
  end
  return rawblock(latex.listing(b))
end

function weave.Div(d)
  if lib.is(d, 'guaranteed') or lib.is(d, 'observed') then
    local kind = lib.is(d, 'observed') and 'observed' or 'guaranteed'
    local on = d.attributes.on
    if kind == 'observed' and not on then lib.fail('::: observed needs on="..."', d.attributes.line) end
    local label = ('\\wmark{%s}{%s}'):format(kind, latex.escape(on and ' on ' .. on or ''))
    local body = pandoc.List { rawblock('\\begin{w' .. kind .. '}') }
    if d.content[1] and d.content[1].t == 'Para' then
      d.content[1].content:insert(1, raw(label))
      body:extend(d.content)
    else
      body:insert(rawblock(label .. '\\par')); body:extend(d.content)
    end
    body:insert(rawblock('\\end{w' .. kind .. '}'))
    return body
  end
  if d.identifier:match '^tab:' then
    local body = pandoc.List {}
    for _, b in ipairs(d.content) do
      if b.t == 'Table' then
        local caption = b.caption.long[1] and b.caption.long[1].content or pandoc.List {}
        if #caption == 0 then lib.fail(d.identifier .. ' has no caption (a line ": text")', d.attributes.line) end
        local rows = b.bodies[1] and #b.bodies[1].body or 0
        if rows <= 20 then                     -- a short table stays whole
          -- (with a capital: longtable must not begin before the page is out)
          body:insert(rawblock(('\\Needspace{%.1f\\baselineskip}'):format(1.4 * rows + 4)))
        end
        body:insert(around(('\\wtabcaption{%s}{Table %s}{'):format(
          d.identifier, refs.labels[d.identifier].number), caption, '}'))
        b.caption = { long = {} }
        body:insert(rawblock '\\begin{wtable}'); body:insert(b); body:insert(rawblock '\\end{wtable}')
      else
        body:insert(b)
      end
    end
    return body
  end
  return d.content
end

function weave.Code(c)
  if lib.is(c, 'use') then return raw(latex.use(c.text)) end
  if lib.is(c, 'q') then return raw(latex.identifier(c.text)) end
  return raw('\\wq{' .. latex.quoted(c.text) .. '}')
end

function weave.Span(s)
  local words = s.attributes.key or pandoc.utils.stringify(s.content)
  if lib.is(s, 'term') then
    s.content:insert(1, raw('\\wterm{')); s.content:insert(raw('}' .. latex.indexed('c', words, 'd')))
    return s.content
  elseif lib.is(s, 'index') then
    s.content:insert(raw(latex.indexed('c', words)))
    return s.content
  end
end

function Pandoc(doc)
  latex.labels = refs.labels
  local main = doc:walk(parts).blocks
  main:insert(rawblock '%%ANSWERS')
  main:extend(sort.answers)
  local all = pandoc.Pandoc(main, doc.meta)
  return all:walk(refs.tables(raw)):walk(refs.capitals):walk { Cite = function(c) return refs.cite(c, raw) end }:walk(weave)
end
