-- `mw.language` and `mw.message`.
local host, lib = ...
local base, mw = lib.base, lib.mw
local type, tostring, tonumber, ipairs, error = type, base.tostring, tonumber, base.ipairs, error
local gsub, find, match, sub, gmatch = base.string.gsub, base.string.find, string.match, string.sub, string.gmatch

local language = {}
mw.language = language
local languageMethods = {}
function language.new(code)
  if type(code) ~= 'string' then error("bad argument #1 to 'mw.language.new' (string expected)", 2) end
  return setmetatable({ code = code }, { __index = languageMethods, __metatable = false })
end
mw.getLanguage = language.new
function language.getContentLanguage() return language.new(host.site('language')) end
mw.getContentLanguage = language.getContentLanguage
function language.fetchLanguageName(code, inLanguage) return host.languageName(tostring(code), tostring(inLanguage or code)) end
function language.isKnownLanguageTag(code) return host.languageName(tostring(code), 'en') ~= '' end
language.isSupportedLanguage = language.isKnownLanguageTag
function language.isValidCode(code) return find(code, '^[%w%-]+$') ~= nil end
language.isValidBuiltInCode = language.isValidCode
-- Languages with a large Wikipedia.
local codes = 'af als ar arz ast az azb be bg bn bs ca ce ceb cs cy da de el en eo es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka kk ko ku la lb lt lv mk ml mn mr ms my nb nds nl nn oc pl pt ro ru sco sh sk sl sq sr sv sw ta te tg th tl tr tt uk ur uz vi war yi zh'
function language.fetchLanguageNames(inLanguage)
  local found = {}
  for code in gmatch(codes, '%a+') do
    local name = language.fetchLanguageName(code, inLanguage)
    if name ~= '' then found[code] = name end
  end
  return found
end
function language.getFallbacksFor(code)
  local found = {}
  local shorter = match(code, '^(.+)%-%w+$')
  while shorter do
    if shorter ~= 'en' then found[#found + 1] = shorter end
    shorter = match(shorter, '^(.+)%-%w+$')
  end
  if code ~= 'en' then found[#found + 1] = 'en' end
  return found
end
function languageMethods.getFallbackLanguages(self) return language.getFallbacksFor(self.code) end
function languageMethods.getCode(self) return self.code end
function languageMethods.isRTL(self) return host.isRtl(self.code) end
function languageMethods.getDir(self) return host.isRtl(self.code) and 'rtl' or 'ltr' end
function languageMethods.getDirMark(self, opposite)
  return (host.isRtl(self.code) == (opposite == true)) and '\226\128\142' or '\226\128\143'
end
function languageMethods.getDirMarkEntity(self, opposite)
  return (host.isRtl(self.code) == (opposite == true)) and '&lrm;' or '&rlm;'
end
function languageMethods.getArrow(self, direction)
  if host.isRtl(self.code) then direction = ({ forwards = 'left', backwards = 'right' })[direction or 'forwards'] or direction end
  return ({ forwards = '→', backwards = '←', left = '←', right = '→', up = '↑', down = '↓' })[direction or 'forwards']
end
function languageMethods.lc(_, s) return mw.ustring.lower(s) end
function languageMethods.uc(_, s) return mw.ustring.upper(s) end
function languageMethods.caseFold(_, s) return mw.ustring.upper(s) end
function languageMethods.lcfirst(_, s) return mw.ustring.lower(mw.ustring.sub(s, 1, 1)) .. mw.ustring.sub(s, 2) end
function languageMethods.ucfirst(self, s) return host.ucfirst(s, self.code) end
function languageMethods.formatNum(self, n, options)
  if not tonumber(n) then error("bad argument #1 to 'formatNum' (number expected, got " .. type(n) .. ')', 2) end
  return host.formatNumber(self.code, tostring(n), options ~= nil and options.noCommafy == true and 'NOSEP' or '')
end
function languageMethods.parseFormattedNumber(self, s) return tonumber(host.formatNumber(self.code, tostring(s), 'R')) end
function languageMethods.formatDate(self, pattern, timestamp, isLocal)
  local text = lib.call('#time', pattern, timestamp or '', self.code, isLocal and '1' or '')
  if find(text, 'class="error"', 1, true) then
    error("bad argument #2 to 'formatDate' (not a valid timestamp)", 2)
  end
  return text
end
function languageMethods.plural(self, n, ...)
  return host.plural(self.code, n, base.unpack(type((...)) == 'table' and (...) or { ... }))
end
languageMethods.convertPlural = languageMethods.plural
function languageMethods.convertGrammar(_, word) return word end
function languageMethods.grammar(_, _, word) return word end
-- Members have no gender here, so only `male` and `female` select a form.
function languageMethods.gender(_, who, masculine, feminine, neutral)
  if type(masculine) == 'table' then masculine, feminine, neutral = masculine[1], masculine[2], masculine[3] end
  if who == 'female' then return feminine or masculine end
  return who ~= 'male' and neutral or masculine
end
function languageMethods.truncate(_, s, length) return mw.text.truncate(s, length) end
function languageMethods.toBcp47Code(self) return self.code end
local intervals = { { 'millennia', 31556952000 }, { 'centuries', 3155695200 }, { 'decades', 315569520 }, { 'years', 31556952 }, { 'weeks', 604800 }, { 'days', 86400 }, { 'hours', 3600 }, { 'minutes', 60 }, { 'seconds', 1 } }
local singular = { millennia = 'millennium', centuries = 'century' }
function languageMethods.getDurationIntervals(_, seconds, allowed)
  local wanted, found = nil, {}
  if allowed then wanted = {}; for _, name in ipairs(allowed) do wanted[name] = true end end
  for _, interval in ipairs(intervals) do
    local name, length = interval[1], interval[2]
    if not wanted or wanted[name] then
      local count = math.floor(seconds / length)
      if count > 0 then found[name] = count; seconds = seconds - count * length end
    end
  end
  return found
end
function languageMethods.formatDuration(self, seconds, allowed)
  local found, parts = self:getDurationIntervals(seconds, allowed), {}
  for _, interval in ipairs(intervals) do
    local name = interval[1]
    local count = found[name]
    if count then parts[#parts + 1] = count .. ' ' .. (count == 1 and (singular[name] or sub(name, 1, -2)) or name) end
  end
  return #parts == 0 and '0 seconds' or mw.text.listToText(parts)
end

-- Messages: this wiki has none of MediaWiki's, so that only those whose text is given say something. ------------------

local message = {}
mw.message = message
local messageMethods = {}
local function newMessage(text, exists, ...)
  local self = { parameters = {}, language = language.getContentLanguage() }
  function self.plain()
    return (gsub(text, '%$(%d)', function(digit)
      local value = self.parameters[tonumber(digit)]
      if type(value) == 'table' and value.number ~= nil then value = self.language:formatNum(value.number) end
      return value ~= nil and tostring(value) or nil
    end))
  end
  function self.exists() return exists end
  function self.isBlank() return text == '' or not exists end
  function self.isDisabled() return text == '' or text == '-' or not exists end
  return setmetatable(self, { __index = messageMethods, __tostring = function() return self.plain() end, __metatable = false }):params(...)
end
function messageMethods.params(self, ...)
  local first = ...
  local given = type(first) == 'table' and first.number == nil and first or { ... }
  for _, value in ipairs(given) do self.parameters[#self.parameters + 1] = value end
  return self
end
messageMethods.rawParams = messageMethods.params
function messageMethods.numParams(self, ...)
  local given = {}
  for i, value in ipairs(type((...)) == 'table' and (...) or { ... }) do given[i] = message.numParam(value) end
  return self:params(given)
end
function messageMethods.inLanguage(self, wanted)
  self.language = type(wanted) == 'string' and language.new(wanted) or wanted
  return self
end
function messageMethods.useDatabase(self) return self end
messageMethods.title = messageMethods.useDatabase
function message.new(key, ...) return newMessage('⧼' .. tostring(key) .. '⧽', false, ...) end
function message.newRawMessage(text, ...) return newMessage(tostring(text), true, ...) end
function message.newFallbackSequence(...) return message.new((...)) end
function message.rawParam(value) return value end
-- Formats a number in the language of the message.
function message.numParam(value) return { number = value } end
function message.getDefaultLanguage() return language.getContentLanguage() end

mw.ext = {}

return lib
