-- `mw.ustring`: like `string`, but over characters instead of bytes. ASCII text is handled by `string`, the rest by the host.
local host, lib = ...
local base, mw = lib.base, lib.mw
local find, sub, type, tostring, unpack, select = string.find, string.sub, type, tostring, unpack, select
local gmatch, error, floor = string.gmatch, error, math.floor
local text, check, refuse = base.string, lib.util.checkType, lib.refuse
local ustring = {}
mw.ustring = ustring
ustring.maxStringLength, ustring.maxPatternLength = 2000000, 10000

local function ascii(s) return not find(s, '[\128-\255]') end

-- Most texts are read several times in a row.
local lastUtf8
local function isUtf8(s)
  if s == lastUtf8 or ascii(s) then return true end
  if not host.isUtf8(s) then return false end
  lastUtf8 = s
  return true
end

-- `level`: of the line that called the function of the library.
local function bytesOf(s, name, level)
  local kind = type(s)
  if kind == 'number' then return tostring(s) end
  if kind ~= 'string' then refuse(name, 1, 'string', s, level) end
  if #s > ustring.maxStringLength then
    error("bad argument #1 to '" .. name .. "' (string is longer than " .. ustring.maxStringLength .. ' bytes)', level)
  end
  return s
end
local function textOf(s, name)
  s = bytesOf(s, name, 4)
  if not isUtf8(s) then error("bad argument #1 to '" .. name .. "' (string is not UTF-8)", 3) end
  return s
end

-- Patterns ----------------------------------------------------------------------------------------------------------

-- Position of the bracket that closes the set at `at`; nil if there is none.
local function closeOf(characters, at)
  at = at + (characters[at + 1] == '^' and 2 or 1)
  local first = at
  while characters[at] and (at == first or characters[at] ~= ']') do
    local last = characters[at + 2]
    if characters[at] == '%' then at = at + 2
    elseif characters[at + 1] == '-' and last and last ~= ']' and last ~= '%' then at = at + 3
    else at = at + 1 end
  end
  return characters[at] and at
end

-- Returns what is wrong with a pattern, or nil and the number of its captures. Scribunto reads a pattern before it matches, so
-- a mistake is an error even if no text reaches it.
local function problemOf(pattern)
  local characters, open, captures, at = {}, {}, 0, 1
  for one in gmatch(pattern, '[^\128-\191][\128-\191]*') do characters[#characters + 1] = one end
  local function isOpen(index)
    for i = 1, #open do if open[i].index == index then return true end end
  end
  while characters[at] do
    local start, one = at, characters[at]
    local where = ' at pattern character ' .. start
    if one == '(' then
      if not characters[at + 1] then return 'Unmatched open-paren' .. where end
      captures = captures + 1
      open[#open + 1] = { index = captures, at = start }
    elseif one == ')' then
      if #open == 0 then return 'Unmatched close-paren' .. where end
      open[#open] = nil
    elseif one == ']' then return 'Unmatched close-bracket' .. where
    elseif one == '%' then
      at = at + 1
      one = characters[at]
      if not one then return "malformed pattern (ends with '%')" end
      if one == 'b' then
        at = at + 2
        if not characters[at] then return "malformed pattern (missing arguments to '%b')" end
      elseif one == 'f' then
        at = at + 1
        one = characters[at]
        if one ~= '[' then return "missing '[' after %f in pattern" .. where end
      elseif find(one, '^%d') then
        local index = tonumber(one)
        if index == 0 or index > captures or isOpen(index) then return 'invalid capture index %' .. one .. where end
      end
    end
    if one == '[' and (at == start or characters[at - 1] == 'f') then
      local close = closeOf(characters, at)
      if not close then return 'Missing close-bracket for character set beginning at pattern character ' .. at end
      at = close
    end
    at = at + 1
  end
  if open[1] then return 'Unclosed capture beginning at pattern character ' .. open[1].at end
  return nil, captures
end

-- Number of captures by pattern.
local known, count = {}, 0
local function patternOf(pattern, name)
  if known[pattern] then return pattern end
  if type(pattern) == 'number' then pattern = tostring(pattern) end
  if type(pattern) ~= 'string' then refuse(name, 2, 'string', pattern, 3) end
  if not isUtf8(pattern) then error("bad argument #2 to '" .. name .. "' (string is not UTF-8)", 3) end
  if #pattern > ustring.maxPatternLength then
    error("bad argument #2 to '" .. name .. "' (pattern is longer than " .. ustring.maxPatternLength .. ' bytes)', 3)
  end
  local problem, captures = problemOf(pattern)
  if problem then error(problem, 3) end
  if count >= 1000 then known, count = {}, 0 end
  known[pattern], count = captures, count + 1
  return pattern
end

-- ASCII punctuation classes differ between the two libraries.
local function isPlain(s, pattern) return ascii(s) and ascii(pattern) and not find(pattern, '%%[pP]') end

local function matches(s, pattern, init, limit, mayAnchor)
  return host.matches(s, pattern, lib.initOf(init, ustring.len(s)), limit, mayAnchor)
end

-- Characters --------------------------------------------------------------------------------------------------------

for _, name in base.ipairs { 'byte', 'format', 'rep' } do ustring[name] = text[name] end

function ustring.isutf8(...)
  if select('#', ...) == 0 then lib.tooFew('mw.ustring.isutf8', 2) end
  local s = bytesOf((...), 'isutf8', 3)
  return isUtf8(s)
end
function ustring.len(...)
  if select('#', ...) == 0 then lib.tooFew('mw.ustring.len', 2) end
  local s = bytesOf((...), 'len', 3)
  if ascii(s) then return #s end
  if not isUtf8(s) then return nil end
  local _, length = string.gsub(s, '[^\128-\191]', '')
  return length
end

-- Byte position of the character that is `l` characters after byte `i`: 1 is the first that begins at or after `i`, 0 the one
-- that contains `i`.
function ustring.byteoffset(s, l, i)
  s = textOf(s, 'byteoffset')
  check('byteoffset', 2, l, 'number', true)
  check('byteoffset', 3, i, 'number', true)
  l, i = l or 1, i or 1
  if i < 0 then i = #s + i + 1 end
  if i < 1 or i > #s then return nil end
  local starts, at = {}, nil
  for start in gmatch(s, '()[^\128-\191]') do
    starts[#starts + 1] = start
    if start <= i then at = #starts end
  end
  if l > 0 and starts[at] == i then l = l - 1 end
  return starts[at + l]
end

-- Normalised first and last character of a range.
local function range(s, i, j)
  local _, length = string.gsub(s, '[^\128-\191]', '')
  i, j = floor(i or 1), floor(j or -1)
  if i < 0 then i = length + i + 1 end
  if j < 0 then j = length + j + 1 end
  return math.max(i, 1), math.min(j, length)
end

local function cut(s, i, j)
  if ascii(s) then return sub(s, i or 1, j or -1) end
  local from, to = range(s, i, j)
  if from > to then return '' end
  return host.usub(s, from, to)
end
function ustring.sub(s, i, j)
  s = textOf(s, 'sub')
  check('sub', 2, i, 'number', true)
  check('sub', 3, j, 'number', true)
  return cut(s, i, j)
end
function ustring.char(...)
  for i = 1, select('#', ...) do
    local code = select(i, ...)
    local number = tonumber(code)
    if not number then refuse('char', i, 'number', code, 2) end
    if floor(number) < 0 or number >= 0x110000 then error("bad argument #" .. i .. " to 'char' (value out of range)", 2) end
  end
  return host.uchar(...)
end
function ustring.codepoint(s, i, j)
  s = textOf(s, 'codepoint')
  check('codepoint', 2, i, 'number', true)
  check('codepoint', 3, j, 'number', true)
  i = i or 1
  local from, to = range(s, i, j or i)
  if from > to then return end
  return unpack(host.ucodes(s, from, to))
end
function ustring.gcodepoint(s, i, j)
  check('gcodepoint', 1, s, 'string')
  check('gcodepoint', 2, i, 'number', true)
  check('gcodepoint', 3, j, 'number', true)
  s = textOf(s, 'gcodepoint')
  local from, to = range(s, i, j)
  local codes = from > to and {} or host.ucodes(s, from, to)
  local at = 0
  return function() at = at + 1; return codes[at] end
end
function ustring.upper(s) s = textOf(s, 'upper') return ascii(s) and string.upper(s) or host.upper(s) end
function ustring.lower(s) s = textOf(s, 'lower') return ascii(s) and string.lower(s) or host.lower(s) end
for _, form in base.ipairs { 'NFC', 'NFD', 'NFKC', 'NFKD' } do
  ustring['to' .. form] = function(s)
    s = bytesOf(s, 'to' .. form, 3)
    if ascii(s) then return s end
    return isUtf8(s) and host.normalize(s, form) or nil
  end
end

-- Matching ----------------------------------------------------------------------------------------------------------

function ustring.find(...)
  if select('#', ...) < 2 then lib.tooFew('mw.ustring.find', 2) end
  local s, pattern, init, plain = ...
  s = textOf(s, 'find')
  check('find', 3, init, 'number', true)
  check('find', 4, plain, 'boolean', true)
  if plain then
    if type(pattern) ~= 'string' and type(pattern) ~= 'number' then refuse('find', 2, 'string', pattern, 2) end
    pattern = tostring(pattern)
    if ascii(s) then return find(s, pattern, init, true) end
    pattern = string.gsub(pattern, '%W', '%%%0')
    -- Only single ASCII bytes may be escaped.
    pattern = string.gsub(pattern, '%%([\128-\255])', '%1')
  else
    pattern = patternOf(pattern, 'find')
    if isPlain(s, pattern) then return text.find(s, pattern, init) end
  end
  local found = matches(s, pattern, init, 1, true)[1]
  if not found then return nil end
  return unpack(found)
end
function ustring.match(...)
  if select('#', ...) < 2 then lib.tooFew('mw.ustring.match', 2) end
  local s, pattern, init = ...
  s = textOf(s, 'match')
  check('match', 3, init, 'number', true)
  pattern = patternOf(pattern, 'match')
  if isPlain(s, pattern) then return text.match(s, pattern, init) end
  local found = matches(s, pattern, init, 1, true)[1]
  if not found then return nil end
  return lib.capturesOf(s, found, cut)
end
function ustring.gmatch(s, pattern)
  check('gmatch', 1, s, 'string')
  check('gmatch', 2, pattern, 'string')
  s = textOf(s, 'gmatch')
  pattern = patternOf(pattern, 'gmatch')
  if isPlain(s, pattern) then return text.gmatch(s, pattern), nil, nil end
  return lib.iterator(s, matches(s, pattern, 1, -1, false), cut), nil, nil
end
-- Whether `string.gsub` reads a replacement alike: it also drops a `%` before other characters.
local function isSimple(repl, captures)
  if not find(repl, '%', 1, true) then return true end
  for one in gmatch(repl .. ' ', '%%(.)') do
    local index = tonumber(one)
    if index and index > math.max(captures, 1) or not index and one ~= '%' then return false end
  end
  return true
end
function ustring.gsub(...)
  if select('#', ...) < 3 then lib.tooFew('mw.ustring.gsub', 2) end
  local s, pattern, repl, limit = ...
  s = textOf(s, 'gsub')
  check('gsub', 4, limit, 'number', true)
  if limit and limit < 1 then return s, 0 end
  pattern = patternOf(pattern, 'gsub')
  local kind = type(repl)
  if kind == 'number' then repl = tostring(repl)
  elseif kind ~= 'string' and kind ~= 'table' and kind ~= 'function' then
    refuse('gsub', 3, 'function or table or string', repl, 2)
  end
  if isPlain(s, pattern) and (kind ~= 'string' or isSimple(repl, known[pattern])) then return text.gsub(s, pattern, repl, limit) end
  local found = matches(s, pattern, 1, limit and floor(limit) or -1, true)
  if not found[1] then return s, 0 end
  if ascii(s) then return lib.replace(s, found, sub, repl, true) end
  -- The characters are split once, instead of from the start of the text for each part.
  local codes = {}
  for character in gmatch(s, '[^\128-\191][\128-\191]*') do codes[#codes + 1] = character end
  local function part(_, i, j)
    if j == -1 then j = #codes end
    return i > j and '' or table.concat(codes, '', i, j)
  end
  return lib.replace(s, found, part, repl, true)
end

return lib
