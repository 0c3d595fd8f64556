-- Libraries that modules may `require`.
local host, lib = ...
local base, mw, libraries = lib.base, lib.mw, lib.libraries
local tostring, tonumber, setmetatable, rawset, error, select = base.tostring, tonumber, setmetatable, rawset, error, select
local floor, ipairs = math.floor, base.ipairs

libraries.libraryUtil = function()
  local copy = {}
  for name, f in base.pairs(lib.util) do copy[name] = f end
  return copy
end
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

-- Checks that the arguments of `bit32` are numbers. Level 4 is the line that called the function.
local function numbersOf(name, count, ...)
  local numbers = { ... }
  for i = 1, math.max(count, select('#', ...)) do
    numbers[i] = tonumber(numbers[i]) or lib.refuse(name, i, 'number', numbers[i], 4)
  end
  return numbers
end
local bitFunctions = {
  band = 0, bor = 0, bxor = 0, btest = 0, bnot = 1, lshift = 2, rshift = 2, arshift = 2, lrotate = 2, rrotate = 2, extract = 2, replace = 3,
}
local function checkField(name, field, width, index)
  if field < 0 then error('bad argument #' .. index .. " to '" .. name .. "' (field cannot be negative)", 4) end
  if width <= 0 then error('bad argument #' .. index + 1 .. " to '" .. name .. "' (width must be positive)", 4) end
  if field + width > 32 then error('trying to access non-existent bits', 4) end
end
local function bitsOf(name, ...)
  local numbers = numbersOf(name, bitFunctions[name], ...)
  if name == 'extract' then checkField(name, floor(numbers[2]), floor(numbers[3] or 1), 2)
  elseif name == 'replace' then checkField(name, floor(numbers[3]), floor(numbers[4] or 1), 3) end
  if name == 'btest' then return host.bits('band', base.unpack(numbers)) ~= 0 end
  return host.bits(name, base.unpack(numbers))
end
libraries.bit32 = function()
  local bit = {}
  for name in base.pairs(bitFunctions) do
    bit[name] = function(...)
      local result = bitsOf(name, ...)
      return result
    end
  end
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
  listAlgorithms = function() return host.hashNames() end,
  hashValue = function(name, value)
    lib.util.checkType('hashValue', 1, name, 'string')
    lib.util.checkType('hashValue', 2, value, 'string')
    return host.hash(tostring(name), tostring(value)) or error('Unknown hashing algorithm: ' .. tostring(name), 2)
  end,
}

return lib.run
