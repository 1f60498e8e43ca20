# Runs in the box, in the interpreter that the code runs in: what the code does to it, it does to itself. `requests` is the
# real stdin, and was opened by the few words that read this file from it. Protocol: see ../protocol/encode-request.ts.
import ast, base64, json, linecache, os, re, select, signal, struct, sys, traceback, types, warnings

FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
CO_COROUTINE = 0x80
PIECE = 3900  # With its header less than PIPE_BUF, so that what others write to stderr falls between two of them.
LONGEST_TEXT = 1 << 20
LARGEST_FORMAT = 8 << 20
MOST_OF_A_RUN = 20 << 20
MOST_RESULTS = 900
MOST_FORMATS = 32
MIME_TYPE = re.compile(r'[\w.+-]{1,49}/[\w.+-]{1,49}', re.ASCII)

HOOKS = (
    ('_repr_html_', 'text/html'), ('_repr_markdown_', 'text/markdown'), ('_repr_latex_', 'text/latex'),
    ('_repr_svg_', 'image/svg+xml'), ('_repr_png_', 'image/png'), ('_repr_jpeg_', 'image/jpeg'), ('_repr_json_', 'application/json'),
)

stdout, stderr = os.dup(1), os.dup(2)
null = os.open(os.devnull, os.O_RDONLY)
os.dup2(null, 0)
os.close(null)
own_process = os.getpid()
main = types.ModuleType('__main__')
sys.modules['__main__'] = main
current = {'nonce': '', 'room': 0, 'left_out': 0, 'results': 0, 'loop': None}


def write(descriptor, data):
    data = memoryview(data)
    while data:
        try:
            data = data[os.write(descriptor, data):]
        except BlockingIOError:
            select.select([], [descriptor], [])


def send(message):
    data = json.dumps(message).encode()
    nonce = current['nonce']
    for at in range(0, len(data), PIECE):
        piece = data[at:at + PIECE]
        more = '+' if at + PIECE < len(data) else '.'
        write(stderr, b'\0%s%s%d\n%s' % (nonce.encode(), more.encode(), len(piece), piece))


def format_of(mime, value):
    if isinstance(value, (bytes, bytearray)) and MIME_TYPE.fullmatch(mime):
        return {'type': mime, 'base64': base64.b64encode(value).decode()}
    if mime.endswith('json') and not isinstance(value, str):
        value = json_of(value)
    if not isinstance(value, str) or not MIME_TYPE.fullmatch(mime):
        return None
    if mime.startswith('image/') and mime != 'image/svg+xml':
        try:
            return {'type': mime, 'base64': base64.b64encode(base64.b64decode(value)).decode()}
        except ValueError:
            return None
    if mime == 'text/plain' and len(value) > LONGEST_TEXT:
        value = value[:LONGEST_TEXT] + '…'
    return {'type': mime, 'text': value}


def hook(value, name, *arguments, **named):
    method = None if isinstance(value, type) else getattr(value, name, None)
    try:
        found = method(*arguments, **named) if callable(method) else None
    except Exception:
        return None
    return found[0] if isinstance(found, tuple) and len(found) == 2 else found


def json_of(value):
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None


def bundle_of(value):
    bundle = {mime: found for name, mime in HOOKS for found in [hook(value, name)] if found is not None}
    if type(value).__module__.partition('.')[0] == 'pandas':
        table = hook(value, 'to_csv')
        if isinstance(table, str):
            bundle['text/csv'] = table
    if type(value) in (dict, list, str, int, float, bool):
        bundle['application/json'] = json_of(value)
    more = hook(value, '_repr_mimebundle_', include=None, exclude=None)
    if isinstance(more, dict):
        bundle.update((mime, each) for mime, each in more.items() if isinstance(mime, str))
    return {'text/plain': repr(value), **bundle}


def show(kind, bundle):
    formats = []
    for mime, value in list(bundle.items())[:MOST_FORMATS]:
        made = format_of(mime, value)
        size = 0 if made is None else len(made.get('text', '')) + len(made.get('base64', ''))
        if made is None:
            continue
        if size > LARGEST_FORMAT or size > current['room']:
            current['left_out'] += 1
            continue
        current['room'] -= size
        formats.append(made)
    if formats and current['results'] == MOST_RESULTS:
        current['left_out'] += len(formats)
    elif formats:
        current['results'] += 1
        send({'kind': kind, 'formats': formats})


def display(*values):
    """Shows values in all the forms that they have, as the value of the last line is shown."""
    for value in values:
        show('display', bundle_of(value))


def show_figures():
    plots = sys.modules.get('matplotlib.pyplot')
    if plots is None:
        return
    import io
    for number in plots.get_fignums():
        file = io.BytesIO()
        plots.figure(number).savefig(file, format='png', bbox_inches='tight')
        show('display', {'image/png': file.getvalue()})
    plots.close('all')


def step(code):
    value = eval(code, main.__dict__)
    if not code.co_flags & CO_COROUTINE:
        return value
    import asyncio
    if current['loop'] is None:
        current['loop'] = asyncio.new_event_loop()
        asyncio.set_event_loop(current['loop'])
    task = current['loop'].create_task(value)
    try:
        return current['loop'].run_until_complete(task)
    except KeyboardInterrupt:
        task.cancel()
        raise


def execute(source, name):
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    tree = compile(source, name, 'exec', ast.PyCF_ONLY_AST | FLAGS, True)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    if tree.body:
        step(compile(tree, name, 'exec', FLAGS, True))
    return None if last is None else step(compile(ast.Expression(last.value), name, 'eval', FLAGS, True))


def error_of(error):
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename == '<holdfast>':
        frames = frames.tb_next
    lines = ''.join(traceback.format_exception(type(error), error, frames))
    try:
        message = str(error)
    except Exception:
        message = ''
    return {'name': type(error).__name__[:500], 'message': message[:65536], 'traceback': lines[-65536:]}


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


def run(request):
    end = {'kind': 'end'}
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        value = execute(request['source'], request['name'])
        show_figures()
        if value is not None:
            main.__dict__['_'] = value
            show('value', bundle_of(value))
    except SystemExit:
        raise
    except BaseException as error:
        end['error'] = error_of(error)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        # A child that the code has forked comes here too, and has nothing to say.
        if os.getpid() != own_process:
            flush()
            os._exit(0)
    flush()
    if current['left_out'] > 0:
        end['leftOut'] = current['left_out']
    write(stdout, b'\0%s.' % request['nonce'].encode())
    send(end)


def serve():
    while True:
        header = requests.read(4)
        if len(header) < 4:
            return
        request = json.loads(requests.read(struct.unpack('<I', header)[0]))
        current.update(nonce=request['nonce'], room=MOST_OF_A_RUN, left_out=0, results=0)
        run(request)


signal.signal(signal.SIGINT, signal.SIG_IGN)
warnings.filterwarnings('ignore', message='.*FigureCanvasAgg is non-interactive')
main.display = display
main.__builtins__ = __builtins__
for stream in (sys.stdout, sys.stderr):
    stream.reconfigure(encoding='utf-8', errors='backslashreplace', line_buffering=True)
sys.argv[:] = ['']
sys.path.insert(0, '')
serve()
