"""A dashboard that believes everybody who finds it, as many local servers do. usage: naive-dashboard.py SECRET. Prints its link."""
import http.server, json, socket, sys


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        body = json.dumps({"key": "0" * 64, "secret": sys.argv[1]}).encode()
        self.send_response(200)
        self.send_header("set-cookie", "holdfast-0=0; Path=/")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6
    daemon_threads = True


server = Server(("::", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/#{'0' * 64}", flush=True)
server.serve_forever()
