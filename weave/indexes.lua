-- The three indexes, inside LuaLaTeX.
-- In: the lines that \windex wrote in the run before: KIND|u or d|PAGE|KEY,
-- d for where it is defined; "a!b" in a key is b under a.
-- Out: \wientry{level}{text}{pages}, sorted.
windex = { kinds = {} }

function windex.load(name)
  local path = (os.getenv 'WEAVE_DIR' or '.') .. '/' .. name
  local f = io.open(path)
  if not f then return end
  for line in f:lines() do
    local kind, how, page, key = line:match '^(%a)|(%a)|(%d+)|(.*)$'
    if kind then
      local keys = windex.kinds[kind] or {}
      windex.kinds[kind] = keys
      keys[key] = keys[key] or {}
      page = tonumber(page)
      keys[key][page] = (how == 'd' or keys[key][page] == 'd') and 'd' or 'u'
    end
  end
  f:close()
end

local function sortkey(s)
  return (s:gsub('\\[%a]+', ''):gsub('[\\{}*]', ''):lower():gsub('[^%w!]', ' '))
end

local function pages(entry)
  local list, out, i = {}, {}, 1
  for p in pairs(entry) do list[#list + 1] = p end
  table.sort(list)
  while i <= #list do
    local j = i
    if entry[list[i]] == 'd' then
      out[#out + 1] = '\\widef{' .. list[i] .. '}'
    else
      while list[j + 1] == list[j] + 1 and entry[list[j + 1]] == 'u' do j = j + 1 end
      out[#out + 1] = '\\wipage{' .. list[i] .. '}'
        .. (j > i and '–\\wipage{' .. list[j] .. '}' or '')
    end
    i = j + 1
  end
  return table.concat(out, ', ')
end

function windex.print(kind)
  local keys = {}
  for key in pairs(windex.kinds[kind] or {}) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b)
    local x, y = sortkey(a), sortkey(b)
    if x == y then return a < b end
    return x < y
  end)
  local letter, above
  for _, key in ipairs(keys) do
    local first = sortkey(key):match '%S' or ''
    if letter and first ~= letter then tex.print '\\wiletter' end
    letter = first
    local main, sub = key:match '^(.-)!(.*)$'
    if kind == 'i' then main, sub = nil, key:gsub('\\_', '\\_\\wbr{}') end
    local list = pages(windex.kinds[kind][key])
    if main and main ~= above and not windex.kinds[kind][main] then
      tex.print(('\\wientry{0}{\\wi%s{%s}}{}'):format(kind, main))
    end
    above = main or key
    tex.print(('\\wientry{%s}{\\wi%s{%s}}{%s}'):format(main and '1.2' or '0', kind, sub or key, list))
  end
end
