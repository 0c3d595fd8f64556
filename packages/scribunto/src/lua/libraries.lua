-- Libraries that modules may `require`.
local host, lib = ...
local base, mw, libraries = lib.base, lib.mw, lib.libraries
local type, tostring, ipairs, setmetatable, rawset, error = type, base.tostring, base.ipairs, setmetatable, rawset, error

local function libraryUtil()
  local util = {}
  local function problem(level, name, index, expected, got)
    error("bad argument #" .. index .. " to '" .. name .. "' (" .. expected .. ' expected, got ' .. got .. ')', level)
  end
  function util.checkType(name, index, value, expected, isOptional)
    if value == nil and isOptional then return end
    if type(value) ~= expected then problem(3, name, index, expected, type(value)) end
  end
  function util.checkTypeMulti(name, index, value, allowed)
    for _, one in ipairs(allowed) do if type(value) == one then return end end
    problem(3, name, index, mw.text.listToText(allowed, ', ', ' or '), type(value))
  end
  function util.checkTypeForIndex(index, value, expected)
    if type(value) ~= expected then
      error("value for index '" .. tostring(index) .. "' must be " .. expected .. ', ' .. type(value) .. ' given', 3)
    end
  end
  function util.checkTypeForNamedArg(name, argument, value, expected, isOptional)
    if value == nil and isOptional then return end
    if type(value) ~= expected then
      error("bad named argument " .. argument .. " to '" .. name .. "' (" .. expected .. ' expected, got ' .. type(value) .. ')', 3)
    end
  end
  function util.makeCheckSelfFunction(libraryName, variable, object, description)
    return function(self, method)
      if self ~= object then
        error(libraryName .. ': invalid ' .. description .. '. Did you call ' .. method .. ' with a dot instead of a colon, i.e. ' .. variable .. '.' .. method .. '() instead of ' .. variable .. ':' .. method .. '()?', 3)
      end
    end
  end
  return util
end
libraries.libraryUtil = libraryUtil
libraries.strict = function(env)
  setmetatable(env, {
    __index = function(_, key) if key ~= 'arg' then error("variable '" .. tostring(key) .. "' is not declared", 2) end end,
    __newindex = function(self, key, value)
      if key == 'arg' then rawset(self, key, value) else error("assign to undeclared variable '" .. tostring(key) .. "'", 2) end
    end,
  })
  return true
end
libraries['Module:No globals'] = libraries.strict

libraries.bit32 = function()
  local bit = {}
  for _, name in ipairs { 'band', 'bor', 'bxor', 'bnot', 'lshift', 'rshift', 'arshift', 'lrotate', 'rrotate', 'extract', 'replace' } do
    bit[name] = function(...) return host.bits(name, ...) end
  end
  function bit.btest(...) return host.bits('band', ...) ~= 0 end
  return bit
end
libraries['luabit.bit'] = function()
  local bit32 = libraries.bit32()
  local bit = { band = bit32.band, bor = bit32.bor, bxor = bit32.bxor, bnot = bit32.bnot, blshift = bit32.lshift, blogic_rshift = bit32.rshift, brshift = bit32.arshift }
  function bit.tobits(n)
    local bits = {}
    while n > 0 do bits[#bits + 1] = n % 2; n = (n - n % 2) / 2 end
    return bits
  end
  function bit.tonumb(bits)
    local n = 0
    for at = #bits, 1, -1 do n = n * 2 + bits[at] end
    return n
  end
  return bit
end
libraries['luabit.hex'] = function()
  return {
    to_hex = function(n) return base.string.format('0x%X', n) end,
    to_dec = function(s) return base.tonumber((base.string.gsub(s, '^0[xX]', '')), 16) end,
  }
end
-- Other names under which `ustring` and others are required.
libraries.ustring = function(env) return env.mw.ustring end

mw.hash = {
  listAlgorithms = function() return { 'crc32b', 'md5', 'sha1', 'sha256', 'sha384', 'sha512' } end,
  hashValue = function(name, value)
    return host.hash(tostring(name), tostring(value)) or error('Unknown hashing algorithm: ' .. tostring(name), 2)
  end,
}

return lib.run
