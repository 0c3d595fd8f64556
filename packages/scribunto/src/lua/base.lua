-- The Lua environment of modules: nothing that reads files, the clock or the machine, loads programs, or shares state between
-- calls. Returns `lib`, on which the following files build; `base` is copied for each call of a module.
local host = ...
local type, tostring, tonumber, error, select, unpack = type, tostring, tonumber, error, select, unpack
local rawgetmetatable, rawsetmetatable = debug.getmetatable, setmetatable
local rawsetfenv, rawgetfenv, rawpairs, rawipairs, rawtostring = setfenv, getfenv, pairs, ipairs, tostring
local find, sub, gsub, match, gmatch, rep = string.find, string.sub, string.gsub, string.match, string.gmatch, string.rep
local globals = _G

local base = {
  _VERSION = _VERSION, assert = assert, error = error, next = next, pcall = pcall, rawequal = rawequal, rawget = rawget,
  rawset = rawset, select = select, setmetatable = setmetatable, tonumber = tonumber, type = type, unpack = unpack,
  xpcall = xpcall,
}
local lib = { base = base, rawgetmetatable = rawgetmetatable }

function base.getmetatable(value)
  -- The metatable of strings is shared by all programs, so it is hidden.
  if type(value) ~= 'table' then return nil end
  return getmetatable(value)
end

-- Memory addresses are not shown.
function base.tostring(...)
  local value = ...
  if select('#', ...) == 0 then error("bad argument #1 to 'tostring' (value expected)", 2) end
  local kind = type(value)
  local meta = rawgetmetatable(value)
  if (kind == 'table' or kind == 'function') and not (meta and meta.__tostring) then return kind end
  return rawtostring(value)
end

-- In Lua's own words, which tell a missing argument from nil.
local function refuseType(name, index, expected, level, ...)
  local got = select('#', ...) == 0 and 'no value' or type((...))
  error(string.format("bad argument #%d to '%s' (%s expected, got %s)", index, name, expected, got), level)
end
local function checkNumber(name, index, level, ...)
  return tonumber((...)) or refuseType(name, index, 'number', level + 1, ...)
end

-- About as many values as the stack holds. Without this limit, a request for billions would first allocate memory for them.
local mostUnpacked = 8000
function base.unpack(list, i, j)
  if type(list) == 'table' and (tonumber(j) or #list) - (tonumber(i) or 1) >= mostUnpacked then
    error('too many results to unpack', 2)
  end
  if type(list) ~= 'table' then refuseType('unpack', 1, 'table', 3, list) end
  return unpack(list, i, j)
end

local function first3(a, b, c) return a, b, c end

-- Lua 5.1 lacks `__pairs` and `__ipairs`, which Scribunto adds.
function base.pairs(value)
  local meta = type(value) == 'table' and rawgetmetatable(value)
  if meta and meta.__pairs then return first3(meta.__pairs(value)) end
  if type(value) ~= 'table' then refuseType('pairs', 1, 'table', 3, value) end
  return rawpairs(value)
end
function base.ipairs(value)
  local meta = type(value) == 'table' and rawgetmetatable(value)
  if meta and meta.__ipairs then return first3(meta.__ipairs(value)) end
  if type(value) ~= 'table' then refuseType('ipairs', 1, 'table', 3, value) end
  return rawipairs(value)
end

function base.setfenv(f, env)
  if type(f) ~= 'function' and type(f) ~= 'number' then
    error("'setfenv' can only be called with a function or integer as the first argument", 2)
  end
  if type(f) == 'number' then
    f = math.floor(f)
    if f < 1 then error("'setfenv' cannot set the global environment, it is protected", 2) end
    if f > 10 then error("'setfenv' cannot set an environment at a level greater than 10", 2) end
    f = f + 1
  end
  if rawgetfenv(f) == globals then error("'setfenv' cannot set the requested environment, it is protected", 2) end
  return rawsetfenv(f, env)
end
function base.getfenv(f)
  if type(f) ~= 'function' and (type(f) ~= 'number' or f < 1) then error("'getfenv' cannot get the global environment", 2) end
  local env
  if type(f) == 'function' then env = rawgetfenv(f) else env = rawgetfenv(f + 1) end
  if env == globals then return nil end
  return env
end

base.math = {}
for name, f in rawpairs(math) do base.math[name] = f end
base.table = {}
for name, f in rawpairs(table) do base.table[name] = f end
local rawtraceback = debug.traceback
base.debug = {
  -- Lines of modules only, not of the library.
  traceback = function(message, level)
    local kind = type(message)
    if kind ~= 'nil' and kind ~= 'string' and kind ~= 'number' then return message end
    local lines = { 'stack traceback:' }
    if message then table.insert(lines, 1, message) end
    for line in gmatch(rawtraceback('', (tonumber(level) or 1) + 1), '[^\n]+') do
      if find(line, '^\tModule:') then lines[#lines + 1] = line end
    end
    return table.concat(lines, '\n')
  end,
}

-- Random numbers are the same at each rendering: every call of a module starts from the same seed.
local seed = 1
-- Starts a sequence anew. Returns a function that continues the sequence before.
function lib.resetRandom()
  local before = seed
  seed = 1
  return function() seed = before end
end
function base.math.randomseed(value)
  seed = math.floor(math.abs(tonumber(value) or 1)) % 2147483647
  if not (seed > 0) then seed = 1 end
end
function base.math.random(...)
  local count, low, high = select('#', ...), ...
  if count > 2 then error('wrong number of arguments', 2) end
  for at = 1, count do checkNumber('random', at, 3, select(at, ...)) end
  seed = (seed * 16807) % 2147483647
  local value = (seed - 1) / 2147483646
  if value >= 1 then value = 0 end
  if not low then return value end
  if not high then low, high = 1, low end
  if low > high then error(string.format("bad argument #%d to 'random' (interval is empty)", count), 2) end
  return math.floor(low + math.floor(value * (high - low + 1)))
end

-- Texts --------------------------------------------------------------------------------------------------------------

local text = {}
base.string = text
for name, f in rawpairs(string) do if name ~= 'dump' then text[name] = f end end

-- Longer results are rejected before they are created, because no page may be that long.
function text.rep(...)
  local s, count = ...
  if type(s) ~= 'string' and type(s) ~= 'number' then refuseType('rep', 1, 'string', 3, ...) end
  count = checkNumber('rep', 2, 3, select(2, ...))
  s = rawtostring(s)
  if #s * count > host.maxLength() then error('the text would be too long', 2) end
  return rep(s, count)
end

-- Matching can take exponential time, and the interpreter cannot be interrupted during it. Patterns that may take more than
-- some milliseconds are matched by the host, which counts steps.
local maxSteps = 1000000
local powers = {}
local function powerOf(pattern)
  local power = powers[pattern]
  if not power then
    local _, repeats = gsub(pattern, '[*+?-]', '')
    local _, balances = gsub(pattern, '%%b', '')
    power = repeats + balances
    if #pattern > 500 then power = 1000 end
    powers[pattern] = power
  end
  return power
end
local function isLong(s, pattern, mayAnchor)
  if type(s) ~= 'string' or type(pattern) ~= 'string' then return false end
  local power = powerOf(pattern)
  if not (mayAnchor and sub(pattern, 1, 1) == '^') then power = power + 1 end
  return power > 1 and (#s) ^ power > maxSteps
end

local function initOf(init, length)
  init = tonumber(init) or 1
  if init < 0 then init = length + init + 1 end
  return math.max(1, math.min(init, length + 1))
end

-- `found` holds first and last position, then captures. `cut` returns a part of `s` by first and last position.
local function capturesOf(s, found, cut)
  if found[3] == nil then return cut(s, found[1], found[2]) end
  return unpack(found, 3)
end
local function iterator(s, matches, cut)
  local at = 0
  return function()
    at = at + 1
    local found = matches[at]
    if found then return capturesOf(s, found, cut) end
  end
end
-- `keepsOthers`: whether a `%` before other characters than a digit or `%` stays, as in `mw.ustring`.
local function replace(s, matches, cut, repl, keepsOthers)
  local kind = type(repl)
  if kind == 'number' then repl, kind = rawtostring(repl), 'string' end
  if kind ~= 'string' and kind ~= 'table' and kind ~= 'function' then
    error("bad argument #3 to 'gsub' (string/function/table expected)", 3)
  end
  local out, after = {}, 1
  for _, found in rawipairs(matches) do
    local whole = cut(s, found[1], found[2])
    local first = found[3]
    if first == nil then first = whole end
    local value
    if kind == 'function' then value = repl(capturesOf(s, found, cut))
    elseif kind == 'table' then value = repl[first]
    else
      value = gsub(repl, '%%(.?)', function(digit)
        if digit == '0' then return whole end
        if find(digit, '^%d') then
          local captured = found[2 + tonumber(digit)]
          if digit == '1' then captured = first end
          if captured == nil then
            error(keepsOthers and 'invalid capture index %' .. digit .. ' in replacement string' or 'invalid capture index', 0)
          end
          return rawtostring(captured)
        end
        if keepsOthers and digit ~= '%' then return nil end
        return digit
      end)
    end
    if not value then value = whole
    elseif type(value) ~= 'string' and type(value) ~= 'number' then
      error('invalid replacement value (a ' .. type(value) .. ')', 3)
    end
    out[#out + 1] = cut(s, after, found[1] - 1)
    out[#out + 1] = rawtostring(value)
    after = found[2] + 1
  end
  out[#out + 1] = cut(s, after, -1)
  return table.concat(out), #matches
end
lib.capturesOf, lib.iterator, lib.replace, lib.initOf = capturesOf, iterator, replace, initOf

-- Refuses arguments at the line that called the function, not at one of this file.
local function checkTexts(name, s, pattern)
  if type(s) ~= 'string' and type(s) ~= 'number' then refuseType(name, 1, 'string', 4, s) end
  if type(pattern) ~= 'string' and type(pattern) ~= 'number' then refuseType(name, 2, 'string', 4, pattern) end
end

function text.find(s, pattern, init, plain)
  checkTexts('find', s, pattern)
  if plain or not isLong(s, pattern, true) then return find(s, pattern, init, plain) end
  local found = host.byteMatches(s, pattern, initOf(init, #s), 1, true)[1]
  if not found then return nil end
  return unpack(found)
end
function text.match(s, pattern, init)
  checkTexts('match', s, pattern)
  if not isLong(s, pattern, true) then return match(s, pattern, init) end
  local found = host.byteMatches(s, pattern, initOf(init, #s), 1, true)[1]
  if not found then return nil end
  return capturesOf(s, found, sub)
end
function text.gmatch(s, pattern)
  checkTexts('gmatch', s, pattern)
  if not isLong(s, pattern, false) then return gmatch(s, pattern) end
  return iterator(s, host.byteMatches(s, pattern, 1, -1, false), sub)
end
text.gfind = text.gmatch
function text.gsub(s, pattern, repl, limit)
  checkTexts('gsub', s, pattern)
  if not isLong(s, pattern, true) then return gsub(s, pattern, repl, limit) end
  return replace(s, host.byteMatches(s, pattern, 1, limit or -1, true), sub, repl)
end
rawgetmetatable('').__index = text

-- Time ---------------------------------------------------------------------------------------------------------------

local parts = { 'year', 'month', 'day', 'hour', 'min', 'sec', 'wday', 'yday' }
base.os = {
  clock = function() return 0 end,
  difftime = function(...)
    local first = checkNumber('difftime', 1, 3, ...)
    local second = select(2, ...)
    return first - (second == nil and 0 or checkNumber('difftime', 2, 3, second))
  end,
  date = function(pattern, time)
    if pattern ~= nil and type(pattern) ~= 'string' and type(pattern) ~= 'number' then refuseType('date', 1, 'string', 3, pattern) end
    if time ~= nil then checkNumber('date', 2, 3, time) end
    local answer = host.osDate(pattern == nil and '%c' or rawtostring(pattern), tonumber(time))
    if type(answer) ~= 'table' then return answer end
    local made = { isdst = false }
    for i, name in rawipairs(parts) do made[name] = answer[i] end
    return made
  end,
  time = function(given)
    if given == nil then return host.osTime() end
    if type(given) ~= 'table' then refuseType('time', 1, 'table', 3, given) end
    local function part(name, default)
      local value = tonumber(given[name]) or default
      return value or error("field '" .. name .. "' missing in date table", 3)
    end
    -- In the order in which Lua reads them.
    local second, minute, hour = part('sec', 0), part('min', 0), part('hour', 12)
    local day, month, year = part('day'), part('month'), part('year')
    return host.osTime(year, month, day, hour, minute, second)
  end,
}

return lib
