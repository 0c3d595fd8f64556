-- `mw.ustring`: like `string`, but over characters instead of bytes. ASCII text is handled by `string`, the rest by the host.
local host, lib = ...
local base, mw = lib.base, lib.mw
local find, sub, type, tostring, unpack = string.find, string.sub, type, tostring, unpack
local text = base.string
local ustring = {}
mw.ustring = ustring
ustring.maxStringLength, ustring.maxPatternLength = 2000000, 10000

local function ascii(s) return not find(s, '[\128-\255]') end
local function textOf(s, name)
  local kind = type(s)
  if kind == 'number' then return tostring(s) end
  if kind ~= 'string' then error("bad argument #1 to '" .. name .. "' (string expected, got " .. kind .. ')', 3) end
  return s
end

-- ASCII punctuation classes differ between the two libraries.
local function isPlain(s, pattern) return ascii(s) and ascii(pattern) and not find(pattern, '%%[pP]') end

for _, name in ipairs { 'byte', 'format', 'rep' } do ustring[name] = text[name] end

function ustring.isutf8(s) return host.isUtf8(textOf(s, 'isutf8')) end
function ustring.len(s)
  s = textOf(s, 'len')
  if ascii(s) then return #s end
  if not host.isUtf8(s) then return nil end
  local _, count = string.gsub(s, '[^\128-\191]', '')
  return count
end

-- Byte position of the character that is `l` characters after byte `i`: 1 is the first that begins at or after `i`, 0 the one
-- that contains `i`.
function ustring.byteoffset(s, l, i)
  s = textOf(s, 'byteoffset')
  l, i = l or 1, i or 1
  if i < 0 then i = #s + i + 1 end
  if i < 1 or i > #s or not host.isUtf8(s) then return nil end
  local starts, at = {}, nil
  for start in string.gmatch(s, '()[^\128-\191]') do
    starts[#starts + 1] = start
    if start <= i then at = #starts end
  end
  if l > 0 and starts[at] == i then l = l - 1 end
  return starts[at + l]
end

-- Normalised first and last character of a range.
local function range(s, i, j)
  local _, length = string.gsub(s, '[^\128-\191]', '')
  i, j = i or 1, j or -1
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
function ustring.sub(s, i, j) return cut(textOf(s, 'sub'), i, j) end
function ustring.char(...) return host.uchar(...) end
function ustring.codepoint(s, i, j)
  s = textOf(s, 'codepoint')
  i = i or 1
  local from, to = range(s, i, j or i)
  if from > to then return end
  return unpack(host.ucodes(s, from, to))
end
function ustring.gcodepoint(s, i, j)
  s = textOf(s, 'gcodepoint')
  local from, to = range(s, i, j)
  local codes = from > to and {} or host.ucodes(s, from, to)
  local at = 0
  return function() at = at + 1; return codes[at] end
end
function ustring.upper(s) s = textOf(s, 'upper') return ascii(s) and string.upper(s) or host.upper(s) end
function ustring.lower(s) s = textOf(s, 'lower') return ascii(s) and string.lower(s) or host.lower(s) end
for _, form in ipairs { 'NFC', 'NFD', 'NFKC', 'NFKD' } do
  ustring['to' .. form] = function(s)
    s = textOf(s, 'to' .. form)
    if ascii(s) then return s end
    return host.isUtf8(s) and host.normalize(s, form) or nil
  end
end

local function matches(s, pattern, init, limit, mayAnchor)
  local from = lib.initOf(init, ustring.len(s) or error('the text is no UTF-8', 3))
  return host.matches(s, pattern, from, limit, mayAnchor)
end

function ustring.find(s, pattern, init, plain)
  s, pattern = textOf(s, 'find'), tostring(pattern)
  if plain then
    if ascii(s) then return find(s, pattern, init, true) end
    pattern = string.gsub(pattern, '%W', '%%%0')
    -- Only single ASCII bytes may be escaped.
    pattern = string.gsub(pattern, '%%([\128-\255])', '%1')
  elseif isPlain(s, pattern) then return text.find(s, pattern, init) end
  local found = matches(s, pattern, init, 1, true)[1]
  if not found then return nil end
  return unpack(found)
end
function ustring.match(s, pattern, init)
  s, pattern = textOf(s, 'match'), tostring(pattern)
  if isPlain(s, pattern) then return text.match(s, pattern, init) end
  local found = matches(s, pattern, init, 1, true)[1]
  if not found then return nil end
  return lib.capturesOf(s, found, cut)
end
function ustring.gmatch(s, pattern)
  s, pattern = textOf(s, 'gmatch'), tostring(pattern)
  if isPlain(s, pattern) then return text.gmatch(s, pattern) end
  return lib.iterator(s, matches(s, pattern, 1, -1, false), cut)
end
function ustring.gsub(s, pattern, repl, limit)
  s, pattern = textOf(s, 'gsub'), tostring(pattern)
  if isPlain(s, pattern) then return text.gsub(s, pattern, repl, limit) end
  -- The characters are split once, instead of from the start of the text for each part.
  local codes
  local function part(_, i, j)
    if j == -1 then j = #codes end
    return i > j and '' or table.concat(codes, '', i, j)
  end
  local found = matches(s, pattern, 1, limit or -1, true)
  if not found[1] then return s, 0 end
  codes = {}
  for character in string.gmatch(s, '[^\128-\191][\128-\191]*') do codes[#codes + 1] = character end
  return lib.replace(s, found, part, repl)
end

return lib
