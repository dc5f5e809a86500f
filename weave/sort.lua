-- What the weaves for print (print.lua) and web (web.lua) sort alike: slides
-- leave the book, answers go to its end, and what is only for the other
-- edition goes (::: {.only for=web}, for=print).  sort.filter(EDITION, exercise, answer): the filter; the two
-- functions give an exercise's and an answer's blocks of (div, number, blocks).
-- Out: M.answers; M.around, M.inlines for titles.
local lib, refs = require 'lib', require 'refs'
local M = { answers = pandoc.List {} }

function M.raw(format)
  return function(s) return pandoc.RawInline(format, s) end, function(s) return pandoc.RawBlock(format, s) end
end
function M.around(before, inlines, after)      -- before and after: raw inlines
  local list = pandoc.List { before }
  list:extend(inlines); list:insert(after)
  return pandoc.Plain(list)
end
function M.inlines(markdown)
  local doc = pandoc.read(markdown or '', 'markdown')
  return doc.blocks[1] and doc.blocks[1].content or pandoc.List {}
end

function M.filter(edition, exercise, answer)
  return { traverse = 'topdown', Div = function(d)
    if lib.is(d, 'slide') then return {}, false end
    if lib.is(d, 'only') then
      local for_ = d.attributes['for']
      if for_ ~= 'web' and for_ ~= 'print' then lib.fail('::: only needs for=web or for=print', d.attributes.line) end
      return for_ == edition and pandoc.Div(d.content, pandoc.Attr('', { 'only' })) or {}
    end
    if lib.is(d, 'exercise') then
      local number = refs.labels[d.identifier] and refs.labels[d.identifier].number
      if not number then lib.fail('an exercise needs {.exercise #ex:name kind=... title="..."}', d.attributes.line) end
      local body, solution = pandoc.List {}, pandoc.List {}
      for _, b in ipairs(d.content) do
        if b.t == 'Div' and lib.is(b, 'answer') then solution:extend(b.content) else body:insert(b) end
      end
      if #solution == 0 then lib.fail(d.identifier .. ' has no ::: answer', d.attributes.line) end
      M.answers:extend(answer(d, number, solution))
      return exercise(d, number, body)
    end
  end }
end
return M
