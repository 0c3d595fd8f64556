-- `mw.language`.
local host, lib = ...
local base, mw = lib.base, lib.mw
local type, tostring, tonumber, error, select = type, base.tostring, tonumber, error, select
local find, match, sub, gmatch, huge = base.string.find, string.match, string.sub, string.gmatch, math.huge
local ipairs, check, refuse, tooFew = base.ipairs, lib.util.checkType, lib.refuse, lib.tooFew

local language, methods = {}, {}
mw.language = language
language.FALLBACK_MESSAGES, language.FALLBACK_STRICT = 'FALLBACK_MESSAGES', 'FALLBACK_STRICT'

local objects = setmetatable({}, { __mode = 'k' })
local checkSelf = lib.selfChecker('mw.language', 'lang', objects, 'language object')
local meta = { __index = methods, __metatable = false }
local function isCode(code) return #code > 0 and #code < 128 and not find(code, '[%z\1-\31:/\\<>&\'"%%#|%[%]{}]') end

function language.new(code)
  if code == nil then error('too few arguments to mw.language.new()', 2) end
  check('language.new', 1, code, 'string')
  local made = setmetatable({ code = code }, meta)
  objects[made] = true
  return made
end
lib.cloners[meta] = function(self) return language.new(self.code) end
mw.getLanguage = language.new
function language.getContentLanguage() return language.new(lib.site.language) end
mw.getContentLanguage = language.getContentLanguage

function language.fetchLanguageName(code, inLanguage)
  check('fetchLanguageName', 1, code, 'string')
  check('fetchLanguageName', 2, inLanguage, 'string', true)
  return host.languageName(code, inLanguage or code)
end
local function isBuiltIn(code) return find(code, '^[%l%d-][%l%d-]+$') ~= nil end
function language.isKnownLanguageTag(code)
  check('isKnownLanguageTag', 1, code, 'string')
  return isBuiltIn(code) and host.languageName(code, 'en') ~= ''
end
function language.isSupportedLanguage(code)
  check('isSupportedLanguage', 1, code, 'string')
  return isBuiltIn(code) and host.languageName(code, 'en') ~= ''
end
function language.isValidCode(code)
  check('isValidCode', 1, code, 'string')
  return isCode(code)
end
function language.isValidBuiltInCode(code)
  check('isValidBuiltInCode', 1, code, 'string')
  return isBuiltIn(code)
end
-- Languages with a large Wikipedia.
local codes = 'af als ar arz ast az azb be bg bn bs ca ce ceb cs cy da de el en eo es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka kk ko ku la lb lt lv mk ml mn mr ms my nb nds nl nn oc pl pt ro ru sco sh sk sl sq sr sv sw ta te tg th tl tr tt uk ur uz vi war yi zh'
function language.fetchLanguageNames(inLanguage, include)
  check('fetchLanguageNames', 1, inLanguage, 'string', true)
  check('fetchLanguageNames', 2, include, 'string', true)
  local found = {}
  for code in gmatch(codes, '%a+') do
    local name = host.languageName(code, inLanguage or code)
    if name ~= '' then found[code] = name end
  end
  return found
end
-- Languages whose readers read others best, besides those whose code says so (`de-at`).
local fallbacks = {}
for pair in gmatch('ab:ru ace:id an:es arn:es arq:ar ary:ar arz:ar ast:es av:ru ay:es azb:fa ba:ru bar:de bcl:tl bm:fr br:fr bug:id ce:ru csb:pl cv:ru frp:fr frr:de fur:it gag:tr gl:pt glk:fa gn:es gsw:de ht:fr jv:id kl:da koi:ru krc:ru ksh:de kv:ru lad:es lb:de lez:ru li:nl lij:it lmo:it ln:fr lrc:fa ltg:lv mai:hi mg:fr min:id mo:ro mwl:pt myv:ru mzn:fa nah:es nap:it nds:de nn:nb no:nb nrm:fr oc:fr os:ru pcd:fr pdc:de pfl:de pms:it pnt:el qu:es sa:hi sah:ru scn:it sg:fr stq:de su:id szl:pl tet:pt tt:ru ty:fr tyv:ru udm:ru vec:it vls:nl wa:fr wo:fr xmf:ka yi:he za:zh-hans zea:nl zh-cn:zh-hans zh-hk:zh-hant,zh-hans zh-mo:zh-hk,zh-hant,zh-hans zh-my:zh-sg,zh-hans zh-sg:zh-hans zh-tw:zh-hant,zh-hans', '%S+') do
  local from, list = match(pair, '^(.-):(.*)$')
  fallbacks[from] = {}
  for to in gmatch(list, '[^,]+') do fallbacks[from][#fallbacks[from] + 1] = to end
end
function language.getFallbacksFor(code, mode)
  check('getFallbacksFor', 1, code, 'string')
  if mode ~= nil and language[mode] ~= mode then
    refuse('getFallbacksFor', 2, 'one of mw.language.FALLBACK_MESSAGES or mw.language.FALLBACK_STRICT', mode, 2)
  end
  local found = {}
  for at, to in ipairs(fallbacks[code] or {}) do found[at] = to end
  local shorter = match(code, '^(.+)%-%w+$')
  while shorter do
    if shorter ~= 'en' then found[#found + 1] = shorter end
    shorter = match(shorter, '^(.+)%-%w+$')
  end
  if code ~= 'en' and mode ~= language.FALLBACK_STRICT then found[#found + 1] = 'en' end
  return found
end

function methods.getCode(self)
  checkSelf(self, 'getCode')
  return self.code
end
function methods.getFallbackLanguages(self, mode)
  checkSelf(self, 'getFallbackLanguages')
  return language.getFallbacksFor(self.code, mode)
end
function methods.toBcp47Code(self)
  checkSelf(self, 'toBcp47Code')
  return host.bcp47(self.code)
end
local function isRtl(self)
  if type(self.code) ~= 'string' or not isCode(self.code) then error("language code '" .. tostring(self.code) .. "' is invalid", 3) end
  return host.isRtl(self.code)
end
function methods.isRTL(self)
  checkSelf(self, 'isRTL')
  local isRight = isRtl(self)
  return isRight
end
function methods.getDir(self)
  checkSelf(self, 'getDir')
  return isRtl(self) and 'rtl' or 'ltr'
end
function methods.getDirMark(self, opposite)
  checkSelf(self, 'getDirMark')
  return (isRtl(self) == (opposite and true or false)) and '\226\128\142' or '\226\128\143'
end
function methods.getDirMarkEntity(self, opposite)
  checkSelf(self, 'getDirMarkEntity')
  return (isRtl(self) == (opposite and true or false)) and '&lrm;' or '&rlm;'
end
local arrows = { forwards = '→', backwards = '←', left = '←', right = '→', up = '↑', down = '↓' }
function methods.getArrow(self, direction)
  checkSelf(self, 'getArrow')
  direction = direction or 'forwards'
  check('getArrow', 1, direction, 'string')
  if isRtl(self) then direction = ({ forwards = 'left', backwards = 'right' })[direction] or direction end
  return arrows[direction]
end

-- Defines a method that needs a valid code and some arguments.
local function define(name, count, method)
  methods[name] = function(self, ...)
    checkSelf(self, name)
    if select('#', ...) < count then tooFew('mw.language:' .. name, 2) end
    if type(self.code) ~= 'string' then error('invalid code property of language object when calling ' .. name, 2) end
    if not isCode(self.code) then error("language code '" .. self.code .. "' is invalid", 2) end
    local result = method(self, ...)
    return result
  end
end
-- Level 4 is the line that called a method, through `define`.
local function expect(name, index, value, expected, isOptional)
  if type(value) ~= expected and not (isOptional and value == nil) then refuse(name, index, expected, value, 4) end
end
local function defineText(name, change)
  define(name, 1, function(self, s)
    expect(name, 1, s, 'string')
    return change(s, self)
  end)
end
defineText('lc', function(s) return mw.ustring.lower(s) end)
defineText('uc', function(s) return mw.ustring.upper(s) end)
defineText('caseFold', function(s) return mw.ustring.upper(s) end)
defineText('lcfirst', function(s, self)
  if sub(s, 1, 1) == 'I' and (self.code == 'tr' or self.code == 'az') then return 'ı' .. sub(s, 2) end
  return mw.ustring.lower(mw.ustring.sub(s, 1, 1)) .. mw.ustring.sub(s, 2)
end)
defineText('ucfirst', function(s, self) return host.ucfirst(s, self.code) end)
define('formatNum', 1, function(self, n, options)
  expect('formatNum', 1, n, 'number')
  if n == huge or n == -huge then error("bad argument #1 to 'formatNum' (infinite)", 3) end
  if n ~= n then error("bad argument #1 to 'formatNum' (NaN)", 3) end
  expect('formatNum', 2, options, 'table', true)
  return host.formatNumber(self.code, tostring(n), options and options.noCommafy and 'NOSEP' or '')
end)
-- Like `tonumber`: nil for what is no number.
define('parseFormattedNumber', 1, function(self, s)
  if type(s) ~= 'string' and type(s) ~= 'number' then return nil end
  return tonumber(host.formatNumber(self.code, tostring(s), 'R'))
end)
define('formatDate', 1, function(self, pattern, timestamp, isLocal)
  expect('formatDate', 1, pattern, 'string')
  expect('formatDate', 2, timestamp, 'string', true)
  expect('formatDate', 3, isLocal, 'boolean', true)
  local text = lib.call('#time', pattern, timestamp or '', self.code, isLocal and '1' or '')
  if find(text, 'class="error"', 1, true) then
    error("bad argument #2 to 'formatDate': invalid timestamp '" .. tostring(timestamp) .. "'", 3)
  end
  return text
end)
local function formsOf(...) return type((...)) == 'table' and (...) or { ... } end
define('convertPlural', 2, function(self, n, ...)
  expect('convertPlural', 1, n, 'number')
  local forms = {}
  for _, form in ipairs(formsOf(...)) do
    -- `0=none` is the form for that number only.
    local number, text = match(tostring(form), '^(%d+)=(.*)$')
    if not number then forms[#forms + 1] = form
    elseif tonumber(number) == n then return text end
  end
  return host.plural(self.code, n, base.unpack(forms))
end)
methods.plural = methods.convertPlural
-- No grammar of MediaWiki's is known here.
define('convertGrammar', 2, function(_, word, case)
  expect('convertGrammar', 1, word, 'string')
  expect('convertGrammar', 2, case, 'string')
  return word
end)
function methods.grammar(self, case, word)
  checkSelf(self, 'grammar')
  return self:convertGrammar(word, case)
end
-- Members have no gender here, so only `male` and `female` select a form.
define('gender', 2, function(_, who, ...)
  expect('gender', 1, who, 'string')
  local forms = formsOf(...)
  who = match(who, '^%s*(.-)%s*$')
  if #forms < 2 then return tostring(forms[1] or '') end
  if who == 'female' then return tostring(forms[2]) end
  return tostring(who ~= 'male' and forms[3] or forms[1])
end)
function methods.truncate(_, s, length) return mw.text.truncate(s, length) end

local intervals = { { 'millennia', 31556952000 }, { 'centuries', 3155695200 }, { 'decades', 315569520 }, { 'years', 31556952 }, { 'weeks', 604800 }, { 'days', 86400 }, { 'hours', 3600 }, { 'minutes', 60 }, { 'seconds', 1 } }
local singular = { millennia = 'millennium', centuries = 'century' }
local function durationOf(seconds, allowed)
  local wanted, found, order = {}, {}, {}
  for _, name in base.pairs(allowed or {}) do wanted[name] = true end
  local isAny = next(wanted) == nil
  -- Weeks are counted only where they are asked for.
  local function counts(name) return wanted[name] or isAny and name ~= 'weeks' end
  for _, interval in ipairs(intervals) do
    local name, length = interval[1], interval[2]
    if counts(name) then
      local count = math.floor(seconds / length)
      if count > 0 then
        found[name], seconds = count, seconds - count * length
        order[#order + 1] = count .. ' ' .. (count == 1 and (singular[name] or sub(name, 1, -2)) or name)
      end
    end
  end
  -- Nothing is left out: less than the smallest unit counts as none of it.
  if #order == 0 then
    for _, interval in ipairs(intervals) do if counts(interval[1]) then order[1], found = '0 ' .. interval[1], { [interval[1]] = 0 } end end
  end
  return found, order
end
define('getDurationIntervals', 1, function(_, seconds, allowed)
  expect('getDurationIntervals', 1, seconds, 'number')
  expect('getDurationIntervals', 2, allowed, 'table', true)
  return (durationOf(seconds, allowed))
end)
define('formatDuration', 1, function(_, seconds, allowed)
  expect('formatDuration', 1, seconds, 'number')
  expect('formatDuration', 2, allowed, 'table', true)
  local _, order = durationOf(seconds, allowed)
  return mw.text.listToText(order)
end)

return lib
