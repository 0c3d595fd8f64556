# Varnish on the front machine, before three Coppices: varnishd -f cache.vcl -a ${FRONT}:6081
vcl 4.1;
import directors;

probe ready {
  .url = "/readyz";
  .interval = 1s;
  .timeout = 2s;
  .window = 2;
  .threshold = 2;
  .initial = 2;
}
backend alder { .host = "${ALDER}"; .port = "8080"; .connect_timeout = 1s; .first_byte_timeout = 65s; .probe = ready; }
backend birch { .host = "${BIRCH}"; .port = "8080"; .connect_timeout = 1s; .first_byte_timeout = 65s; .probe = ready; }
backend cedar { .host = "${CEDAR}"; .port = "8080"; .connect_timeout = 1s; .first_byte_timeout = 65s; .probe = ready; }

sub vcl_init {
  new coppices = directors.round_robin();
  coppices.add_backend(alder);
  coppices.add_backend(birch);
  coppices.add_backend(cedar);
}
sub vcl_recv { set req.backend_hint = coppices.backend(); }

# A Coppice that was just killed: a read is asked of another one. Writes are not, as they may have been carried out.
sub vcl_backend_error {
  if (bereq.retries < 2 && (bereq.method == "GET" || bereq.method == "HEAD")) { return (retry); }
}
sub vcl_backend_fetch {
  if (bereq.retries > 0) { set bereq.backend = coppices.backend(); }
}

# What is kept, and how long; its own backend is not used.
include "${FILES}/../varnish.vcl";
