-- wrk's side of the bench: posts the bodies of a file in turn (one a line), or sends a GET; prints one JSON line.

function init(args)
  wrk.headers["X-API-Key"] = args[1]
  if args[2] ~= nil and args[2] ~= "" then
    wrk.headers["Content-Type"] = "application/json"
    local requests = {}
    local turn = 0
    for body in io.lines(args[2]) do
      requests[#requests + 1] = wrk.format("POST", nil, nil, body)
    end
    -- Without this function wrk sends the same GET each time and does not ask Lua for it.
    function request()
      turn = turn % #requests + 1
      return requests[turn]
    end
  end
end

function done(summary, latency, _)
  local errors = summary.errors
  io.write(string.format(
    'RESULT{"answers":%d,"refused":%d,"elapsed":%.6f,"failures":%d,"p50":%.3f,"p90":%.3f,"p99":%.3f,"p999":%.3f,"max":%.3f}\n',
    summary.requests, errors.status, summary.duration / 1e6, errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(90) / 1000, latency:percentile(99) / 1000,
    latency:percentile(99.9) / 1000, latency.max / 1000))
end
