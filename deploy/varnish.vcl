# Varnish (6 or later) before Coppice: start Coppice with COPPICE_PURGE=varnish:http://THIS-HOST:6081 and COPPICE_TRUST_PROXY=1, and set
# the addresses below. Pages stay here for a day; Coppice says within a fraction of a second what became stale.
vcl 4.1;
import std;

backend default { .host = "127.0.0.1"; .port = "8080"; }

# Addresses from which Coppice purges.
acl coppice { "127.0.0.1"; "::1"; }

sub vcl_recv {
  if (req.method == "PURGE") {
    if (client.ip !~ coppice) { return (synth(405)); }
    ban("obj.http.surrogate-key ~ (^|\s)(" + req.http.x-purge + ")(\s|$)");
    return (synth(200));
  }
  # Cookies of others would keep their owners from the cache.
  if (req.http.cookie !~ "coppice") { unset req.http.cookie; }
  if (req.http.authorization || req.http.cookie) { return (pass); }
}

sub vcl_backend_response {
  if (beresp.http.surrogate-control ~ "max-age=\d+") {
    set beresp.ttl = std.duration(regsub(beresp.http.surrogate-control, "^.*max-age=(\d+).*$", "\1s"), 1s);
  }
  # Nothing is shown after it became stale.
  set beresp.grace = 0s;
}

sub vcl_deliver {
  unset resp.http.surrogate-control;
}
