-- `mw.message`. Of MediaWiki's messages there are those that join words, and names of months and days; others need their text.
local _, lib = ...
local base, mw = lib.base, lib.mw
local type, tostring, tonumber, error, select, getmetatable = type, base.tostring, tonumber, error, select, lib.rawgetmetatable
local gsub, check, refuse, maxn = base.string.gsub, lib.util.checkType, lib.refuse, table.maxn

local message, methods = {}, {}
mw.message = message
local known = {
  ['comma-separator'] = ', ', ['colon-separator'] = ': ', ['semicolon-separator'] = '; ', ['pipe-separator'] = ' | ',
  ['word-separator'] = ' ', ['and'] = ' and', ellipsis = '...', percent = '$1%', parentheses = '($1)', brackets = '[$1]',
  ['quotation-marks'] = '"$1"', mainpage = 'Main Page',
}
-- Format and date of the messages that name a month or a day.
local dates = {}
for at, name in base.ipairs { 'january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december' } do
  local date = '2001-' .. at .. '-1'
  dates[string.sub(name, 1, 3)], dates[name], dates[name .. '-gen'] = { 'M', date }, { 'F', date }, { 'xg', date }
end
dates['may_long'], dates.may = { 'F', '2001-5-1' }, { 'M', '2001-5-1' }
for at, name in base.ipairs { 'sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday' } do
  local date = '2001-1-' .. at + 6
  dates[string.sub(name, 1, 3)], dates[name] = { 'D', date }, { 'l', date }
end

-- What each message says and was given.
local data = setmetatable({}, { __mode = 'k' })
local checkSelf = lib.selfChecker('mw.message', 'msg', data, 'message object')

-- A parameter that is put in as it is, or formatted as a number.
local special = { __metatable = false, __tostring = function(self) return tostring(self.raw or self.num) end }

local function hasText(value)
  local meta = getmetatable(value)
  return type(meta) == 'table' and meta.__tostring ~= nil
end
-- `level`: of the line that called the function of the library.
local function scalarOf(name, index, value, level, maySpecial)
  if type(value) == 'table' then
    if maySpecial and getmetatable(value) == special then return value end
    if hasText(value) then return tostring(value) end
  end
  if type(value) ~= 'string' and type(value) ~= 'number' then refuse(name, index, 'string or number', value, level) end
  return value
end

-- Adds parameters, given one by one or as a table.
local function add(self, name, maySpecial, wrap, ...)
  local first, given, count = ..., { ... }, select('#', ...)
  if type(first) == 'table' and not hasText(first) then
    if count ~= 1 then error("bad arguments to '" .. name .. "' (pass either a table of params or params as individual arguments)", 3) end
    given, count = first, maxn(first)
  end
  local parameters = data[self].parameters
  for i = 1, count do
    local value = scalarOf('params', i, given[i], 4, maySpecial)
    parameters[#parameters + 1] = wrap and setmetatable({ [wrap] = value }, special) or value
  end
end

function methods.params(self, ...)
  checkSelf(self, 'params')
  add(self, 'params', true, nil, ...)
  return self
end
function methods.rawParams(self, ...)
  checkSelf(self, 'rawParams')
  add(self, 'rawParams', false, 'raw', ...)
  return self
end
function methods.numParams(self, ...)
  checkSelf(self, 'numParams')
  add(self, 'numParams', false, 'num', ...)
  return self
end
function methods.inLanguage(self, wanted)
  checkSelf(self, 'inLanguage')
  if type(wanted) == 'table' and wanted.getCode then wanted = wanted:getCode() end
  check('inLanguage', 1, wanted, 'string')
  data[self].language = wanted
  return self
end
function methods.useDatabase(self, value)
  checkSelf(self, 'useDatabase')
  check('useDatabase', 1, value, 'boolean')
  return self
end
function methods.title(self, title)
  checkSelf(self, 'title')
  if type(title) == 'table' and title.prefixedText then title = title.prefixedText end
  check('title', 1, title, 'string', true)
  return self
end
function methods.plain(self)
  checkSelf(self, 'plain')
  local one = data[self]
  local text = one.date and lib.call('#time', one.date[1], one.date[2], one.language) or one.text
  return (gsub(text, '%$(%d+)', function(number)
    local value = one.parameters[tonumber(number)]
    if type(value) == 'table' and value.num and tonumber(value.num) then
      return mw.language.new(one.language):formatNum(tonumber(value.num))
    end
    return value ~= nil and tostring(value) or nil
  end))
end
function methods.exists(self)
  checkSelf(self, 'exists')
  return data[self].exists
end
function methods.isBlank(self)
  checkSelf(self, 'isBlank')
  return data[self].text == '' or not data[self].exists
end
function methods.isDisabled(self)
  checkSelf(self, 'isDisabled')
  return data[self].text == '' or data[self].text == '-' or not data[self].exists
end

local meta = { __index = methods, __metatable = false, __tostring = methods.plain }
local function make(text, exists, date)
  local self = setmetatable({}, meta)
  data[self] = { text = text, exists = exists, date = date, parameters = {}, language = lib.site.language }
  return self
end
lib.cloners[meta] = function(self)
  local made = make(data[self].text, data[self].exists)
  data[made] = mw.clone(data[self])
  return made
end

-- Returns the message of the first key that there is; otherwise that of the last key.
local function find(...)
  local last
  for _, key in base.ipairs { ... } do
    last = string.lower(string.sub(key, 1, 1)) .. gsub(string.sub(key, 2), ' ', '_')
    if known[last] or dates[last] then return make(known[last] or last, true, dates[last]) end
    last = key
  end
  return make('⧼' .. last .. '⧽', false)
end
function message.new(key, ...)
  check('message.new', 1, key, 'string')
  local made = find(key)
  add(made, 'params', true, nil, ...)
  return made
end
function message.newRawMessage(text, ...)
  check('message.newRawMessage', 1, text, 'string')
  local made = make(text, true)
  add(made, 'params', true, nil, ...)
  return made
end
function message.newFallbackSequence(...)
  for i = 1, math.max(1, select('#', ...)) do check('message.newFallbackSequence', i, (select(i, ...)), 'string') end
  return find(...)
end
function message.rawParam(value)
  value = scalarOf('message.rawParam', 1, value, 3)
  return setmetatable({ raw = value }, special)
end
-- Formats a number in the language of the message.
function message.numParam(value)
  value = scalarOf('message.numParam', 1, value, 3)
  return setmetatable({ num = value }, special)
end
function message.getDefaultLanguage() return mw.language.getContentLanguage() end

mw.ext = { ParserFunctions = { expr = function(expression)
  check('mw.ext.ParserFunctions.expr', 1, expression, 'string')
  local result = lib.call('#expr', expression)
  local problem = base.string.match(result, '^<strong class="error">(.-)</strong>$')
  if problem then error(problem, 2) end
  return result
end } }

return lib
