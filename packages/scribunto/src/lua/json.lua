-- `mw.text.jsonEncode` and `mw.text.jsonDecode`.
local host, lib = ...
local base, mw = lib.base, lib.mw
local type, tostring, tonumber, sub, concat, format, error = type, base.tostring, tonumber, string.sub, table.concat, string.format, error
local find, gsub, sort, floor, abs, huge = base.string.find, base.string.gsub, table.sort, math.floor, math.abs, math.huge
local ipairs, check = base.ipairs, lib.util.checkType
local text = mw.text

text.JSON_PRESERVE_KEYS, text.JSON_TRY_FIXING, text.JSON_PRETTY = 1, 2, 4
local function hasFlag(flags, flag) return (flags or 0) % (flag * 2) >= flag end

-- Returns the number of values if the keys are those of a list that begins at `first`, and nil otherwise.
local function lengthOf(value, first)
  local count, highest = 0, first - 1
  for key in base.pairs(value) do
    if type(key) ~= 'number' or key < first or key ~= floor(key) then return nil end
    count, highest = count + 1, math.max(highest, key)
  end
  return highest - first + 1 == count and count or nil
end

-- Returns why a value has no JSON, or nil.
local function problemOf(value, seen)
  local kind = type(value)
  if kind == 'number' and (value ~= value or value == huge or value == -huge) then return 'Cannot encode non-finite numbers' end
  if kind == 'string' and find(value, '[\128-\255]') and not host.isUtf8(value) then return 'Unable to encode value' end
  if kind == 'function' or kind == 'userdata' or kind == 'thread' then return "Cannot encode type '" .. kind .. "'" end
  if kind ~= 'table' then return nil end
  if seen[value] then return 'Cannot use recursive tables' end
  seen[value] = true
  for key, one in base.pairs(value) do
    if type(key) == 'number' then
      if key == huge or key == -huge then return "Cannot use 'inf' as a table key" end
    elseif type(key) ~= 'string' then return "Cannot use type '" .. type(key) .. "' as a table key" end
    local problem = problemOf(one, seen)
    if problem then return problem end
  end
  seen[value] = nil
end

-- PHP writes exponents as 1.0e+25 and 1.5e-7, and integers of 64 bits whole.
local function numberText(n)
  if n == floor(n) and abs(n) < 2 ^ 63 then return format('%.0f', n) end
  for digits = 15, 17 do
    local written = format('%.' .. digits .. 'g', n)
    if tonumber(written) == n then
      written = gsub(written, 'e([+-])0+', 'e%1')
      return (gsub(written, '^(%-?%d)e', '%1.0e'))
    end
  end
end

-- Text keys that are numbers count as numbers, because MediaWiki's arrays do not tell them apart.
local function keysOf(value)
  local keys, byName = {}, {}
  for key in base.pairs(value) do
    keys[#keys + 1] = key
    local name = key
    if type(key) == 'string' and #key < 15 and find(key, '^%-?%d+$') and tostring(tonumber(key)) == key then name = tonumber(key) end
    byName[name] = key
  end
  return keys, byName
end

function text.jsonEncode(value, flags)
  local problem = problemOf(value, {})
  if problem then error('mw.text.jsonEncode: ' .. problem, 2) end
  check('mw.text.jsonEncode', 2, flags, 'number', true)
  local keepsKeys, isPretty = hasFlag(flags, text.JSON_PRESERVE_KEYS), hasFlag(flags, text.JSON_PRETTY)
  local function joined(parts, open, close, depth)
    if not isPretty or #parts == 0 then return open .. concat(parts, ',') .. close end
    local line = '\n' .. string.rep('    ', depth)
    return open .. line .. '    ' .. concat(parts, ',' .. line .. '    ') .. line .. close
  end
  local function encode(one, depth)
    local kind = type(one)
    if kind == 'nil' then return 'null' end
    if kind == 'boolean' then return tostring(one) end
    if kind == 'number' then return numberText(one) end
    if kind == 'string' then return host.jsonString(one) end
    local keys, byName = keysOf(one)
    local first = (keepsKeys or byName[0] ~= nil) and 0 or 1
    local count = lengthOf(byName, first)
    local parts = {}
    if count then
      for i = first, first + count - 1 do parts[#parts + 1] = encode(one[byName[i]], depth + 1) end
      return joined(parts, '[', ']', depth)
    end
    sort(keys, function(a, b) return tostring(a) < tostring(b) end)
    local colon = isPretty and ': ' or ':'
    for i, key in ipairs(keys) do parts[i] = host.jsonString(tostring(key)) .. colon .. encode(one[key], depth + 1) end
    return joined(parts, '{', '}', depth)
  end
  return encode(value, 0)
end

-- The host returns a flat list of tokens, so that Lua tables are only built here.
function text.jsonDecode(s, flags)
  check('mw.text.jsonDecode', 1, s, 'string')
  check('mw.text.jsonDecode', 2, flags, 'number', true)
  local tokens = host.jsonTokens(s, hasFlag(flags, text.JSON_TRY_FIXING))
  if not tokens then error('mw.text.jsonDecode: Syntax error', 2) end
  local keepsKeys = hasFlag(flags, text.JSON_PRESERVE_KEYS)
  local at = 0
  local function value()
    at = at + 1
    local token = tokens[at]
    local kind, rest = sub(token, 1, 1), sub(token, 2)
    if kind == 's' then return rest end
    if kind == 'n' then return tonumber(rest) end
    if kind == 't' then return true end
    if kind == 'f' then return false end
    if kind == '0' then return nil end
    local made = {}
    if kind == '[' then
      for i = 1, tonumber(rest) do made[keepsKeys and i - 1 or i] = value() end
      return made
    end
    for _ = 1, tonumber(rest) do
      at = at + 1
      local key = sub(tokens[at], 2)
      made[#key < 15 and (key == '0' or find(key, '^%-?[1-9]%d*$')) and tonumber(key) or key] = value()
    end
    -- An object whose keys are 0, 1, … becomes a list.
    local count = not keepsKeys and made[0] ~= nil and lengthOf(made, 0)
    if count then for i = count, 1, -1 do made[i] = made[i - 1] end made[0] = nil end
    return made
  end
  return value()
end

return lib
