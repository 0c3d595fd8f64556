/** Modules like those that large wikis share: arguments, yes and no, boxes, coordinates, citations. */

const yesno = `
-- What people write for yes and no.
return function(value, default)
  value = type(value) == 'string' and value:lower() or value
  if value == nil then return nil end
  if value == true or value == 'yes' or value == 'y' or value == 'true' or tonumber(value) == 1 then return true end
  if value == false or value == 'no' or value == 'n' or value == 'false' or tonumber(value) == 0 then return false end
  return default
end`;

const argumentsModule = `
-- Arguments of a call and of the template around it, trimmed, without empty ones.
local libraryUtil = require('libraryUtil')
local p = {}
function p.getArgs(frame, options)
  libraryUtil.checkType('getArgs', 1, frame, 'table', true)
  options = options or {}
  local sources = { frame.args }
  local parent = frame:getParent()
  if parent and not options.frameOnly then sources[2] = parent.args end
  local known, isMerged = {}, false
  local args = {}
  local function tidy(value)
    if type(value) ~= 'string' then return value end
    value = mw.text.trim(value)
    if value ~= '' then return value end
  end
  setmetatable(args, {
    __index = function(_, key)
      for _, source in ipairs(sources) do
        local value = tidy(source[key])
        if value ~= nil then known[key] = value return value end
      end
    end,
    __pairs = function()
      if not isMerged then
        isMerged = true
        for i = #sources, 1, -1 do for key, value in pairs(sources[i]) do known[key] = tidy(value) or known[key] end end
      end
      return next, known, nil
    end,
  })
  return args
end
return p`;

const infobox = `
local getArgs = require('Module:Arguments').getArgs
local p = {}
local function rowNumbers(args)
  local numbers = {}
  for key in pairs(args) do
    local number = tostring(key):match('^data(%d+)$')
    if number then numbers[#numbers + 1] = tonumber(number) end
  end
  table.sort(numbers)
  return numbers
end
function p.infobox(frame)
  local args = getArgs(frame)
  local root = mw.html.create('table'):addClass('infobox'):addClass(args.bodyclass):css('width', args.width or '22em')
  if args.title then root:tag('caption'):wikitext(args.title) end
  if args.above then
    root:tag('tr'):tag('th'):attr('colspan', 2):cssText(args.abovestyle):wikitext(args.above)
  end
  for _, number in ipairs(rowNumbers(args)) do
    local row = root:tag('tr')
    local label = args['label' .. number]
    if label then row:tag('th'):attr('scope', 'row'):wikitext(label):done() end
    row:tag('td'):attr('colspan', not label and '2' or nil):newline():wikitext(args['data' .. number])
  end
  return tostring(root)
end
return p`;

const navbox = `
local getArgs = require('Module:Arguments').getArgs
local yesno = require('Module:Yesno')
local p = {}
function p.navbox(frame)
  local args = getArgs(frame)
  local nav = mw.html.create('div'):addClass('navbox'):attr('role', 'navigation')
  nav:tag('div'):addClass('navbox-title'):wikitext(string.format('[[%s]]', args.title or mw.title.getCurrentTitle().text))
  local i = 1
  while args['list' .. i] do
    local row = nav:tag('div'):addClass(i % 2 == 0 and 'even' or 'odd')
    if args['group' .. i] then row:tag('b'):wikitext(args['group' .. i]) end
    local links = {}
    for _, name in ipairs(mw.text.split(args['list' .. i], '%s*;%s*')) do
      local title = mw.title.new(name)
      links[#links + 1] = title and title.exists and '[[' .. title.prefixedText .. ']]' or "''" .. name .. "''"
    end
    row:wikitext(mw.text.listToText(links))
    i = i + 1
  end
  if yesno(args.plain, false) then nav:addClass('plain') end
  return tostring(nav)
end
return p`;

const coordinates = `
local data = mw.loadData('Module:Coordinates/data')
local p = {}
local function parts(value)
  local degrees = math.floor(value)
  local minutes = math.floor((value - degrees) * 60 + 0.5)
  if minutes == 60 then degrees, minutes = degrees + 1, 0 end
  return degrees, minutes
end
local function one(value, directions)
  local letter = value < 0 and directions[2] or directions[1]
  local degrees, minutes = parts(math.abs(value))
  return string.format('%d°%02d′%s', degrees, minutes, letter)
end
function p.coord(frame)
  local latitude, longitude = tonumber(frame.args[1]), tonumber(frame.args[2])
  if not latitude or math.abs(latitude) > 90 then return error('latitude "' .. tostring(frame.args[1]) .. '" is none') end
  local text = one(latitude, data.latitude) .. ' ' .. one(longitude, data.longitude)
  local address = mw.uri.new('https://maps.example.org/at')
  address.query = { lat = latitude, lon = longitude }
  return mw.ustring.gsub('[' .. tostring(address) .. ' ' .. text .. ']', '′', mw.ustring.char(0x2032))
    .. frame:extensionTag('ref', 'From ' .. data.source, { name = 'place' })
end
return p`;

const citation = `
local cfg = mw.loadData('Module:Citation/configuration')
local p = {}
local function people(args)
  local names = {}
  for i = 1, 9 do
    local last, first = args['last' .. i] or (i == 1 and args.last or nil), args['first' .. i] or (i == 1 and args.first or nil)
    if not last then break end
    names[i] = first and (last .. ', ' .. first) or last
  end
  if #names > cfg.most then return table.concat(names, '; ', 1, cfg.most) .. ' et al.' end
  return table.concat(names, '; ')
end
function p.cite(frame)
  local args, errors = {}, {}
  for key, value in pairs(frame:getParent().args) do
    if value ~= '' then
      local name = type(key) == 'string' and (cfg.aliases[key] or key) or key
      if cfg.known[name] or tostring(name):match('^last%d$') or tostring(name):match('^first%d$') then args[name] = value
      else errors[#errors + 1] = 'unknown parameter ' .. tostring(key) end
    end
  end
  local parts = {}
  local who = people(args)
  if who ~= '' then parts[#parts + 1] = who .. (args.year and ' (' .. args.year .. ')' or '') end
  parts[#parts + 1] = args.url and '[' .. args.url .. ' ' .. (args.title or '') .. ']' or "''" .. (args.title or '') .. "''"
  if args.isbn then
    local digits = args.isbn:gsub('[%s-]', '')
    if not digits:match('^%d%d%d%d%d%d%d%d%d[%dXx]$') and not digits:match('^%d%d%d%d%d%d%d%d%d%d%d%d%d$') then
      errors[#errors + 1] = 'invalid ISBN'
    end
    parts[#parts + 1] = 'ISBN ' .. args.isbn
  end
  table.sort(errors)
  local text = mw.html.create('cite'):addClass('citation'):wikitext(table.concat(parts, '. ') .. '.')
  for _, problem in ipairs(errors) do text:tag('small'):wikitext(problem) end
  return tostring(text)
end
return p`;

export const wikiModules: Record<string, string> = {
  'Module:Yesno': yesno,
  'Module:Arguments': argumentsModule,
  'Module:Infobox': infobox,
  'Module:Navbox': navbox,
  'Module:Coordinates': coordinates,
  'Module:Coordinates/data':
    "return { latitude = { 'N', 'S' }, longitude = { 'E', 'W' }, source = 'a survey' }",
  'Module:Citation': citation,
  'Module:Citation/configuration': `return { most = 2, aliases = { author = 'last', jahr = 'year' },
    known = { last = true, first = true, year = true, title = true, url = true, isbn = true } }`,
  Infobox: '{{#invoke:Infobox|infobox|bodyclass=vcard}}',
  Navbox: '{{#invoke:Navbox|navbox}}',
  Cite: '{{#invoke:Citation|cite}}',
};
