-- Requests that wrk sends: the lines of a file in turn, each with method, path, headers and body, separated by tabs. In a body,
-- {{N}} is replaced by a unique number. Results are printed as JSON after "@@".

local requests, templates, position, tag = {}, {}, 0, ""

local function split(text, separator)
  local parts, from = {}, 1
  while true do
    local at = string.find(text, separator, from, true)
    if not at then
      parts[#parts + 1] = string.sub(text, from)
      return parts
    end
    parts[#parts + 1] = string.sub(text, from, at - 1)
    from = at + 1
  end
end

function init(args)
  tag = args[2]
  for line in io.lines(args[1]) do
    local method, path, headerText, body = unpack(split(line, "\t"))
    local headers = { Host = wrk.headers["Host"] }
    if headerText ~= "" then
      for _, header in ipairs(split(headerText, "\31")) do
        local name, value = string.match(header, "^([^:]+): (.*)$")
        headers[name] = value
      end
    end
    if body == "" then body = nil end
    if body and string.find(body, "{{N}}", 1, true) then
      templates[#requests + 1] = { method, path, headers, body }
      requests[#requests + 1] = ""
    else
      requests[#requests + 1] = wrk.format(method, path, headers, body)
    end
  end
end

function request()
  local i = position % #requests + 1
  position = position + 1
  local template = templates[i]
  if not template then return requests[i] end
  local body = string.gsub(template[4], "{{N}}", tag .. position)
  return wrk.format(template[1], template[2], template[3], body)
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '@@{"seconds":%.6f,"requests":%d,"bytes":%d,"errors":%d,"p50":%.4f,"p99":%.4f,"max":%.4f}\n',
    summary.duration / 1e6, summary.requests, summary.bytes,
    e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
end
