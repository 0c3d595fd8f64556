-- Checks of arguments, in Scribunto's words: modules compare messages, and people search for them. Also `libraryUtil`.
local _, lib = ...
local base = lib.base
local type, error, format, concat, ipairs = type, error, string.format, table.concat, base.ipairs
local util = {}
lib.util = util

local function refuse(name, index, expected, value, level)
  error(format("bad argument #%d to '%s' (%s expected, got %s)", index, name, expected, type(value)), level + 1)
end
lib.refuse = refuse

-- Level 3 is the line that called the checked function.
function util.checkType(name, index, value, expected, isOptional)
  if value == nil and isOptional then return end
  if type(value) ~= expected then refuse(name, index, expected, value, 3) end
end
function util.checkTypeMulti(name, index, value, allowed)
  for _, one in ipairs(allowed) do if type(value) == one then return end end
  local last = #allowed
  local list = last > 1 and concat(allowed, ', ', 1, last - 1) .. ' or ' .. allowed[last] or allowed[1]
  refuse(name, index, list, value, 3)
end
function util.checkTypeForIndex(index, value, expected)
  if type(value) ~= expected then
    error(format("value for index '%s' must be %s, %s given", index, expected, type(value)), 3)
  end
end
function util.checkTypeForNamedArg(name, argument, value, expected, isOptional)
  if value == nil and isOptional then return end
  if type(value) ~= expected then
    error(format("bad named argument %s to '%s' (%s expected, got %s)", argument, name, expected, type(value)), 3)
  end
end

local function refuseSelf(library, description, variable, method, level)
  error(format('%s: invalid %s. Did you call %s with a dot instead of a colon, i.e. %s.%s() instead of %s:%s()?',
    library, description, method, variable, method, variable, method), level + 1)
end
function util.makeCheckSelfFunction(library, variable, object, description)
  return function(self, method)
    if self ~= object then refuseSelf(library, description, variable, method, 3) end
  end
end

-- The same for objects that share their methods: `objects` has them as keys.
function lib.selfChecker(library, variable, objects, description)
  return function(self, method)
    if not objects[self] then refuseSelf(library, description, variable, method, 3) end
  end
end

function lib.tooFew(name, level) error('too few arguments to ' .. name, level + 1) end

return lib
