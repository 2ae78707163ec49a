"""Records what an agent does on an Obelus server, and reads it again.

    from obelus_client import ObelusClient

    with ObelusClient("http://127.0.0.1:3000") as client:
        conversation = client.conversation("order-17", title="Where is it?", user_id="alice")
        asked = conversation.message("user", "Where is my order?", user_id="alice")
        with conversation.run(agent_id="support", caused_by=asked) as run:
            with run.call("orders.find", {"customer": "alice"}, output_path="†state.order") as call:
                call.succeeded({"id": 17})
            run.says("It is on its way.")

Python 3.9 or newer, no other package. Events are sent by a thread in the background, in order, and stored exactly once
however often they are sent. Nothing that records raises into the agent's code or blocks it; what reads raises an
`ObelusError`. One client may be used by any number of threads.
"""

from __future__ import annotations

import atexit
import gzip
import http.client
import json
import logging
import math
import os
import random
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import weakref
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Deque, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union

__version__ = "0.1.0"
__all__ = [
    "Call",
    "Conversation",
    "Counts",
    "Dropped",
    "Json",
    "ModelRequest",
    "ObelusClient",
    "ObelusError",
    "Run",
    "Trouble",
]

Json = Union[None, bool, int, float, str, Sequence["Json"], Mapping[str, "Json"]]
"""Any JSON value. Numbers that JavaScript cannot represent are sent as text, other objects as `str` gives them."""

JsonObject = Mapping[str, Json]

_log = logging.getLogger("obelus_client")

# The API's limits of events per request, and of 5 MiB with some margin.
_MOST_EVENTS = 1_000
_MOST_BYTES = 4_500_000
_LARGEST_EVENT = 5 * 1024 * 1024 - 2
# How long events are batched, in seconds.
_GATHER = 0.2
# After so many seconds without an event the thread ends: a client that nobody closes leaves nothing behind.
_IDLE = 10.0
# The first wait after a failure, and the maximum, in seconds; it doubles each time.
_FIRST_WAIT = 0.25
_LONGEST_WAIT = 30.0
_LONGEST_RETRY_AFTER = 300.0
# What is smaller fits into a network packet as it is.
_COMPRESS_FROM = 1_400


class ObelusError(Exception):
    """Why something could not be read, or, of a strict client, was not recorded."""

    def __init__(self, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.status = status
        """The response's status; None without one."""


@dataclass(frozen=True)
class Dropped:
    """An event that is not recorded."""

    reason: str
    """buffer_full, refused (by the server), too_large, not_json, or closed."""
    detail: str
    id: str
    conversation_id: str
    type: str
    json: Optional[str]
    """The whole event; None if it cannot be serialized."""


@dataclass(frozen=True)
class Trouble:
    """A request that failed and is retried."""

    detail: str
    status: Optional[int]
    """None without a response."""
    retry_in: float
    """Seconds."""
    waiting: int
    """The number of buffered events."""


@dataclass(frozen=True)
class Counts:
    """The numbers of events so far."""

    stored: int
    """Stored durably by the server."""
    waiting: int
    dropped: Mapping[str, int]
    """By reason."""


class ObelusClient:
    """Records an agent's events on an Obelus server, and reads them.

    Only an invalid URL makes the constructor raise a `ValueError`. `close`, or the end of a `with` block, sends what is
    buffered; so does the end of the program.

    url: such as `http://127.0.0.1:3000`.
    max_buffered_events, max_buffered_bytes: when the buffer is full, the newest events are dropped.
    request_timeout: seconds after which a request is retried.
    gzip: whether larger requests are compressed.
    strict: whether `flush` and `close` raise an `ObelusError` if events were not recorded.
    on_dropped: called for each dropped event; without it, a warning is logged. Its exceptions are logged.
    on_trouble: called when a request fails. Its exceptions are logged.
    """

    def __init__(
        self,
        url: str,
        *,
        api_key: Optional[str] = None,
        max_buffered_events: int = 100_000,
        max_buffered_bytes: int = 64 * 1024 * 1024,
        request_timeout: float = 30.0,
        gzip: bool = True,
        strict: bool = False,
        on_dropped: Optional[Callable[[Dropped], None]] = None,
        on_trouble: Optional[Callable[[Trouble], None]] = None,
    ) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is not the address of a server, such as http://127.0.0.1:3000")
        self._server = _Server(url.rstrip("/") + "/api/", api_key, request_timeout, gzip)
        self._delivery = _Delivery(
            self._server, max_buffered_events, max_buffered_bytes, on_dropped or _warn, on_trouble or _ignore
        )
        self._strict = strict

    def event(
        self,
        type: str,
        *,
        conversation_id: str,
        payload: Json = None,
        id: Optional[str] = None,
        actor: Optional[str] = None,
        agent_id: Optional[str] = None,
        run_id: Optional[str] = None,
        parent_run_id: Optional[str] = None,
        caused_by: Optional[str] = None,
        occurred_at: Optional[str] = None,
    ) -> str:
        """Adds an event; returns its id. An event that is sent twice with one id is stored once.

        actor: such as `user:alice`, `agent:support`, `tool:orders.find`.
        caused_by: the id of the event that caused this one.
        occurred_at: ISO 8601; now by default.
        """
        event_id = new_id() if id is None else id
        event: Dict[str, Json] = {
            "id": event_id,
            "conversation_id": conversation_id,
            "type": type,
            "actor": actor,
            "agent_id": agent_id,
            "run_id": run_id,
            "parent_run_id": parent_run_id,
            "caused_by": caused_by,
            "payload": payload,
            "occurred_at": _now() if occurred_at is None else occurred_at,
        }
        try:
            text = _to_json({name: value for name, value in event.items() if value is not None})
        except Exception as error:
            # Also of an object's own `__str__`.
            self._delivery.drop(Dropped("not_json", str(error), event_id, conversation_id, type, None))
        else:
            self._delivery.take(_Entry(event_id, conversation_id, type, text))
        return event_id

    def message(
        self,
        role: str,
        content: str,
        *,
        conversation_id: str,
        id: Optional[str] = None,
        user_id: Optional[str] = None,
        actor: Optional[str] = None,
        agent_id: Optional[str] = None,
        run_id: Optional[str] = None,
        caused_by: Optional[str] = None,
        occurred_at: Optional[str] = None,
        metadata: Optional[JsonObject] = None,
    ) -> str:
        """Adds a message; returns its id. `role` is user, assistant, system, tool or operator."""
        message_id = new_id() if id is None else id
        if actor is None and user_id is not None:
            actor = f"user:{user_id}"
        return self.event(
            "message.created",
            conversation_id=conversation_id,
            payload=_given(message_id=message_id, role=role, content=content, metadata=metadata),
            id=message_id,
            actor=actor,
            agent_id=agent_id,
            run_id=run_id,
            caused_by=caused_by,
            occurred_at=occurred_at,
        )

    def conversation(
        self,
        id: str,
        *,
        title: Optional[str] = None,
        channel: Optional[str] = None,
        user_id: Optional[str] = None,
        agent_id: Optional[str] = None,
        metadata: Optional[JsonObject] = None,
    ) -> Conversation:
        """A conversation, with shorter methods. What is said about it is recorded once, with its first event."""
        about = _given(title=title, channel=channel, user_id=user_id, agent_id=agent_id, metadata=metadata)
        if about:
            self.event("conversation.created", conversation_id=id, payload=about)
        return Conversation(self, id)

    def flush(self, timeout: Optional[float] = None) -> bool:
        """Waits until all earlier events were stored or dropped; False after `timeout` seconds."""
        is_done = self._delivery.flush(timeout)
        self._raise_if_incomplete(is_done)
        return is_done

    def close(self, timeout: float = 5.0) -> Counts:
        """Sends what is buffered for up to `timeout` seconds, and drops the rest. Later events are dropped, too."""
        self._delivery.close(timeout)
        self._raise_if_incomplete(True)
        return self.counts()

    def counts(self) -> Counts:
        return self._delivery.counts()

    def get_conversation(self, id: str) -> Dict[str, Any]:
        """Reads a conversation. Raises an `ObelusError`: status 404 if there is none."""
        return self._read_object(f"conversations/{_quoted(id)}")

    def get_view(self, id: str, *, at: Optional[int] = None) -> Dict[str, Any]:
        """Reads a conversation after a step, the last by default. Raises an `ObelusError`."""
        return self._read_object(f"conversations/{_quoted(id)}/view" + ("" if at is None else f"?at={at}"))

    def get_events(self, id: str, *, after: int = 0) -> Iterator[Dict[str, Any]]:
        """Reads the events of a conversation after a step, oldest first, in pages. Raises an `ObelusError`."""
        while True:
            page = self._read_object(f"conversations/{_quoted(id)}/events?limit=1000&after={after}")
            items: List[Dict[str, Any]] = page["items"]
            yield from items
            if page["next"] is None:
                return
            after = items[-1]["seq"]

    def _read_object(self, path: str) -> Dict[str, Any]:
        value: Dict[str, Any] = self._server.read(path)
        return value

    def _raise_if_incomplete(self, is_done: bool) -> None:
        if not self._strict:
            return
        dropped = self._delivery.first_dropped()
        if dropped is not None:
            raise ObelusError(f"{dropped.type} was not recorded ({dropped.reason}): {dropped.detail}")
        if not is_done:
            raise ObelusError("Not all events were sent within the timeout")

    def __enter__(self) -> ObelusClient:
        return self

    def __exit__(self, _type: object, error: Optional[BaseException], _traceback: object) -> None:
        try:
            self.close()
        except ObelusError:
            # The error of the block matters more.
            if error is None:
                raise


class Conversation:
    """A conversation of an agent."""

    def __init__(self, client: ObelusClient, id: str) -> None:
        self._client = client
        self.id = id

    def message(
        self,
        role: str,
        content: str,
        *,
        id: Optional[str] = None,
        user_id: Optional[str] = None,
        agent_id: Optional[str] = None,
        run_id: Optional[str] = None,
        caused_by: Optional[str] = None,
        metadata: Optional[JsonObject] = None,
    ) -> str:
        """Records a message; returns its id."""
        return self._client.message(
            role,
            content,
            conversation_id=self.id,
            id=id,
            user_id=user_id,
            agent_id=agent_id,
            run_id=run_id,
            caused_by=caused_by,
            metadata=metadata,
        )

    def run(
        self,
        *,
        id: Optional[str] = None,
        agent_id: Optional[str] = None,
        parent_run_id: Optional[str] = None,
        caused_by: Optional[str] = None,
        input: Json = None,
    ) -> Run:
        """Starts a run.

        parent_run_id: the run that started this one.
        caused_by: the id of the event that it answers, the user's message.
        """
        return Run(self._client, self.id, id, agent_id, parent_run_id, caused_by, input)


_Self = TypeVar("_Self", bound="_Block")


class _Block:
    """What starts and ends once. As a `with` block, an exception ends it as failed, and goes on."""

    _is_ended = False

    def _end_well(self) -> None:
        raise NotImplementedError

    def _end_by(self, error: BaseException) -> None:
        raise NotImplementedError

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, _type: object, error: Optional[BaseException], _traceback: object) -> None:
        if self._is_ended:
            return
        if error is None:
            self._end_well()
        else:
            self._end_by(error)


class Run(_Block):
    """A run of an agent. At the end of a `with` block it is finished, or failed by an exception."""

    def __init__(
        self,
        client: ObelusClient,
        conversation_id: str,
        id: Optional[str],
        agent_id: Optional[str],
        parent_run_id: Optional[str],
        caused_by: Optional[str],
        input: Json,
    ) -> None:
        self.id = new_id() if id is None else id
        self._client = client
        self._conversation_id = conversation_id
        self._agent_id = agent_id
        self._parent_run_id = parent_run_id
        self._lock = threading.Lock()
        self._iteration = 0
        self._calls = 0
        self._latest = self._event("run.started", _given(input=input), caused_by=caused_by)

    def model(
        self,
        model: str,
        provider: str,
        *,
        input: Json = None,
        parameters: Optional[JsonObject] = None,
    ) -> ModelRequest:
        """Starts a request to a model: the run's next iteration."""
        with self._lock:
            self._iteration += 1
            iteration = self._iteration
        begun = self._event("run.iteration", {"iteration": iteration}, caused_by=self._latest)
        requested = _given(model=model, provider=provider, input=input, parameters=parameters, iteration=iteration)
        caused_by = self._event("model.requested", requested, caused_by=begun)
        return ModelRequest(self, model, provider, iteration, caused_by)

    def call(
        self,
        tool: str,
        params: Json,
        *,
        id: Optional[str] = None,
        output_path: Optional[str] = None,
        reads: Optional[Sequence[str]] = None,
    ) -> Call:
        """Starts a call of a tool. `output_path` and `reads` define the edges between calls: `†state.order`."""
        with self._lock:
            self._calls += 1
            call_id = f"call-{self._calls}" if id is None else id
        name: Dict[str, Json] = {"call_id": call_id, "tool": tool}
        if self._iteration > 0:
            name["iteration"] = self._iteration
        started = {**name, "params": params, **_given(output_path=output_path, reads=reads)}
        return Call(self, name, output_path, self._event("call.started", started, caused_by=self._latest))

    def write(self, path: str, value: Json) -> None:
        """Writes a value to the state that no call produces: `†state.customer`."""
        self._event("state.written", {"path": path, "value": value}, caused_by=self._latest)

    def says(self, content: str) -> str:
        """Records the agent's message to the user; returns its id."""
        return self._client.message(
            "assistant",
            content,
            conversation_id=self._conversation_id,
            actor=self._actor(),
            agent_id=self._agent_id,
            run_id=self.id,
            caused_by=self._latest,
        )

    def finished(self, output: Json = None) -> None:
        self._finish("run.finished", _given(output=output))

    def failed(self, error: object) -> None:
        self._finish("run.failed", {"error": _failure_of(error)})

    def cancelled(self, reason: Optional[str] = None) -> None:
        self._finish("run.cancelled", _given(reason=reason))

    def _finish(self, type: str, payload: JsonObject) -> None:
        self._is_ended = True
        self._event(type, payload, caused_by=self._latest)

    def _end_well(self) -> None:
        self.finished()

    def _end_by(self, error: BaseException) -> None:
        if isinstance(error, Exception):
            self.failed(error)
        else:
            # Such as `KeyboardInterrupt` and asyncio's `CancelledError`.
            self.cancelled(type(error).__name__)

    def _actor(self) -> Optional[str]:
        return None if self._agent_id is None else f"agent:{self._agent_id}"

    def _event(
        self, type: str, payload: JsonObject, *, caused_by: Optional[str] = None, actor: Optional[str] = None
    ) -> str:
        return self._client.event(
            type,
            conversation_id=self._conversation_id,
            payload=payload,
            actor=self._actor() if actor is None else actor,
            agent_id=self._agent_id,
            run_id=self.id,
            parent_run_id=self._parent_run_id,
            caused_by=caused_by,
        )


class ModelRequest(_Block):
    """A request to a model in progress. At the end of a `with` block it is answered, or failed by an exception."""

    def __init__(self, run: Run, model: str, provider: str, iteration: int, caused_by: str) -> None:
        self._run = run
        self._name: Dict[str, Json] = {"model": model, "provider": provider, "iteration": iteration}
        self._actor = f"model:{model}"
        self._caused_by = caused_by

    def responded(
        self,
        output: Json = None,
        *,
        input_tokens: Optional[int] = None,
        output_tokens: Optional[int] = None,
        response_id: Optional[str] = None,
        finish_reason: Optional[str] = None,
    ) -> None:
        self._finish(
            "model.responded",
            _given(
                output=output,
                input_tokens=input_tokens,
                output_tokens=output_tokens,
                response_id=response_id,
                finish_reason=finish_reason,
            ),
        )

    def failed(self, error: object) -> None:
        self._finish("model.failed", {"error": _failure_of(error)})

    def _finish(self, type: str, payload: JsonObject) -> None:
        self._is_ended = True
        run = self._run
        run._latest = run._event(type, {**self._name, **payload}, caused_by=self._caused_by, actor=self._actor)

    def _end_well(self) -> None:
        self.responded()

    def _end_by(self, error: BaseException) -> None:
        self.failed(error)


class Call(_Block):
    """A call in progress. At the end of a `with` block it has succeeded, or failed by an exception."""

    def __init__(self, run: Run, name: Dict[str, Json], output_path: Optional[str], caused_by: str) -> None:
        self._run = run
        self._name = name
        self._output_path = output_path
        self._caused_by = caused_by

    @property
    def id(self) -> str:
        return str(self._name["call_id"])

    def succeeded(self, output: Json = None) -> None:
        """The output is also written to the call's `output_path`."""
        self._finish("call.succeeded", {"output": output})
        if self._output_path is None:
            return
        place = {name: value for name, value in self._name.items() if name != "tool"}
        written = {"path": self._output_path, "value": output, **place}
        self._run._event("state.written", written, caused_by=self._run._latest)

    def failed(self, error: object) -> None:
        self._finish("call.failed", {"error": _failure_of(error)})

    def _finish(self, type: str, payload: JsonObject) -> None:
        self._is_ended = True
        run = self._run
        actor = f"tool:{self._name['tool']}"
        run._latest = run._event(type, {**self._name, **payload}, caused_by=self._caused_by, actor=actor)

    def _end_well(self) -> None:
        self.succeeded()

    def _end_by(self, error: BaseException) -> None:
        self.failed(error)


def new_id() -> str:
    """A UUID version 7: consecutive ids are adjacent in an index."""
    value = int.from_bytes(int(time.time() * 1000).to_bytes(6, "big") + os.urandom(10), "big")
    value = (value & ~(0xF << 76)) | (0x7 << 76)
    value = (value & ~(0x3 << 62)) | (0x2 << 62)
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _given(**fields: Json) -> Dict[str, Json]:
    return {name: value for name, value in fields.items() if value is not None}


def _quoted(id: str) -> str:
    return urllib.parse.quote(id, safe="")


def _failure_of(error: object) -> Dict[str, Json]:
    """An exception as an error in events."""
    if not isinstance(error, BaseException):
        return {"code": "error", "message": str(error)}
    code = getattr(error, "code", None)
    name = code if isinstance(code, str) else type(error).__name__
    return {"code": name[:200], "message": str(error)}


# Numbers in JSON that JavaScript may not represent: the server refuses them.
_SUSPICIOUS = re.compile(r"NaN|Infinity|-0\.0|\d{16}")
_MAX_SAFE = 2**53 - 1


def _to_json(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    if _SUSPICIOUS.search(text):
        text = json.dumps(_representable(value), ensure_ascii=False, separators=(",", ":"), default=str)
    # Lone surrogates are not valid in UTF-8.
    return text.encode("utf-8", "replace").decode()


def _representable(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _representable(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_representable(each) for each in value]
    if isinstance(value, int):
        return value if -_MAX_SAFE <= value <= _MAX_SAFE else str(value)
    if isinstance(value, float):
        return value + 0.0 if math.isfinite(value) else str(value)
    return value


def _warn(dropped: Dropped) -> None:
    _log.warning("%s %s was not recorded (%s): %s", dropped.type, dropped.id, dropped.reason, dropped.detail)


def _ignore(_trouble: Trouble) -> None:
    return None


class _Entry:
    """A buffered event. It is serialized at once, so that later changes of the agent's objects do not affect it."""

    __slots__ = ("body", "conversation_id", "id", "type")

    def __init__(self, id: str, conversation_id: str, type: str, text: str) -> None:
        self.id = id
        self.conversation_id = conversation_id
        self.type = type
        self.body = text.encode()

    def dropped(self, reason: str, detail: str) -> Dropped:
        return Dropped(reason, detail, self.id, self.conversation_id, self.type, self.body.decode())


@dataclass(frozen=True)
class _Stored:
    """All events of the request are on disk."""


@dataclass(frozen=True)
class _Refused:
    """Those at these indexes are invalid; the others were not stored either."""

    faults: Mapping[int, str]


@dataclass(frozen=True)
class _TooMuch:
    """The request is too large, or an event in it is refused and the response does not name it."""

    detail: str


@dataclass(frozen=True)
class _Again:
    """A temporary failure: the request is retried after a delay."""

    detail: str
    status: Optional[int] = None
    after: Optional[float] = None


_Outcome = Union[_Stored, _Refused, _TooMuch, _Again]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirected POST usually becomes a GET, and its events are lost."""

    def redirect_request(self, *_arguments: Any, **_more: Any) -> None:
        return None


class _Server:
    """The server, and how to reach it."""

    def __init__(self, root: str, api_key: Optional[str], timeout: float, gzip: bool) -> None:
        self._root = root
        self._headers = {"user-agent": f"obelus-client-python/{__version__}"}
        if api_key is not None:
            self._headers["authorization"] = f"Bearer {api_key}"
        self._timeout = timeout
        self._gzip = gzip
        self._opener = urllib.request.build_opener(_NoRedirect)

    def read(self, path: str) -> Any:
        """The JSON of a path. Raises an `ObelusError`."""
        try:
            status, body, _ = self._ask(urllib.request.Request(self._root + path, headers=self._headers))
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ObelusError(f"{self._root}{path} cannot be read: {error}") from error
        value = _parsed(body)
        if status == 200:
            return value
        detail = value.get("detail")
        raise ObelusError(detail if isinstance(detail, str) else f"The server answered {status}", status)

    def post(self, batch: Sequence[_Entry]) -> _Outcome:
        """Sends events in one request. Errors are outcomes."""
        body = b"[" + b",".join(entry.body for entry in batch) + b"]"
        headers = {**self._headers, "content-type": "application/json"}
        is_compressed = self._gzip and len(body) >= _COMPRESS_FROM
        try:
            if is_compressed:
                headers["content-encoding"] = "gzip"
            sent = gzip.compress(body, 6) if is_compressed else body
            request = urllib.request.Request(self._root + "events", data=sent, headers=headers, method="POST")
            status, answer, retry_after = self._ask(request)
        except Exception as error:
            return _Again(str(error) or type(error).__name__)
        if status == 415 and is_compressed:
            # An older server.
            self._gzip = False
            return self.post(batch)
        return _outcome_of(status, retry_after, _parsed(answer), len(batch))

    def _ask(self, request: urllib.request.Request) -> Tuple[int, bytes, Optional[str]]:
        """The status, the body, and Retry-After."""
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return response.status, response.read(), None
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read(), error.headers.get("retry-after")


def _parsed(body: bytes) -> Dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _outcome_of(status: int, retry_after: Optional[str], body: Dict[str, Any], count: int) -> _Outcome:
    events = body.get("events")
    # Any server may respond 200, such as a proxy's login page. Only this means that the events are stored.
    if 200 <= status < 300 and isinstance(events, list) and len(events) == count:
        return _Stored()
    is_ours = str(body.get("type")).startswith("urn:obelus:problem:")
    detail = str(body["detail"]) if is_ours and "detail" in body else f"The server answered {status}"
    if status == 413:
        return _TooMuch(detail)
    if is_ours and status in (400, 409, 422):
        faults = _faults_of(body.get("errors"), count)
        return _Refused(faults) if faults else _TooMuch(detail)
    return _Again(detail, status, _seconds_of(retry_after))


def _faults_of(errors: Any, count: int) -> Dict[int, str]:
    """Errors by the event's index: `/3/payload/tool` is of the fourth."""
    faults: Dict[int, str] = {}
    for error in errors if isinstance(errors, list) else []:
        place = re.match(r"/(\d+)(/.*)?$", str(error.get("path")), re.DOTALL) if isinstance(error, dict) else None
        if place is None or int(place[1]) >= count:
            continue
        sentence = f"{place[2] or ''} {error.get('message')}".strip()
        index = int(place[1])
        faults[index] = f"{faults[index]}; {sentence}" if index in faults else sentence
    return faults


def _seconds_of(header: Optional[str]) -> Optional[float]:
    """Retry-After, in seconds or as a date."""
    if header is None:
        return None
    try:
        seconds = float(header) if header.strip().isdigit() else parsedate_to_datetime(header).timestamp() - time.time()
    except (TypeError, ValueError):
        return None
    return min(max(seconds, 0.0), _LONGEST_RETRY_AFTER)


@dataclass
class _Buffer:
    """The events that wait, and what became of the others."""

    entries: Deque[_Entry] = field(default_factory=deque)
    bytes: int = 0
    taken: int = 0
    """Accepted events."""
    settled: int = 0
    """Those of them that were stored or dropped."""
    flush_to: int = 0
    """Somebody waits until so many are settled."""
    first_at: float = 0.0
    """When the oldest batch began."""
    not_before: float = 0.0
    """When the next request may be sent."""
    batch: int = _MOST_EVENTS
    """The current batch size: smaller while a bad event is searched that the server does not name."""
    failures: int = 0


class _Delivery:
    """Sends events, one request at a time, so that conversations keep their order.

    When the buffer is full, the newest are dropped: a session without its start could not be shown.
    """

    def __init__(
        self,
        server: _Server,
        most_events: int,
        most_bytes: int,
        on_dropped: Callable[[Dropped], None],
        on_trouble: Callable[[Trouble], None],
    ) -> None:
        self._server = server
        self._most_events = most_events
        self._most_bytes = most_bytes
        self._on_dropped = on_dropped
        self._on_trouble = on_trouble
        self._stored = 0
        self._dropped = {"buffer_full": 0, "refused": 0, "too_large": 0, "not_json": 0, "closed": 0}
        self._first_dropped: Optional[Dropped] = None
        self._is_closed = False
        self._is_ended = False
        self.after_fork()
        _deliveries.add(self)

    def after_fork(self) -> None:
        """A forked process has no thread, and locks in any state. What was buffered is sent by its parent."""
        self._changed = threading.Condition()
        self._buffer = _Buffer()
        self._thread: Optional[threading.Thread] = None

    def take(self, entry: _Entry) -> None:
        refusal = self._put(entry)
        if refusal is not None:
            self.drop(entry.dropped(*refusal))

    def _put(self, entry: _Entry) -> Optional[Tuple[str, str]]:
        size = len(entry.body)
        if size > _LARGEST_EVENT:
            return "too_large", f"It has {size} bytes"
        with self._changed:
            buffer = self._buffer
            if self._is_closed:
                return "closed", "The client is closed"
            if len(buffer.entries) >= self._most_events or buffer.bytes + size > self._most_bytes:
                return "buffer_full", f"{len(buffer.entries)} events wait to be sent"
            if not buffer.entries:
                buffer.first_at = time.monotonic()
            buffer.entries.append(entry)
            buffer.bytes += size
            buffer.taken += 1
            if self._thread is None:
                self._start()
            # The thread waits for the first event, and for a full batch.
            if len(buffer.entries) == 1 or self._is_due():
                self._changed.notify_all()
        return None

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._work, name="obelus-client", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:
            # No more threads, or the interpreter is ending: the next event, or close, tries again.
            self._thread = None

    def drop(self, dropped: Dropped) -> None:
        with self._changed:
            self._dropped[dropped.reason] += 1
            self._first_dropped = self._first_dropped or dropped
        try:
            self._on_dropped(dropped)
        except Exception:
            _log.exception("on_dropped has raised")

    def first_dropped(self) -> Optional[Dropped]:
        """The first event that was dropped since this was asked last."""
        with self._changed:
            first, self._first_dropped = self._first_dropped, None
            return first

    def counts(self) -> Counts:
        with self._changed:
            return Counts(self._stored, len(self._buffer.entries), dict(self._dropped))

    def flush(self, timeout: Optional[float]) -> bool:
        # A callback would wait for the thread that it runs in.
        if threading.current_thread() is self._thread:
            return False
        with self._changed:
            buffer = self._buffer
            up_to = buffer.taken
            buffer.flush_to = max(buffer.flush_to, up_to)
            if self._thread is None and buffer.entries:
                self._start()
            self._changed.notify_all()
            return self._changed.wait_for(lambda: buffer.settled >= up_to, timeout)

    def close(self, timeout: float) -> None:
        with self._changed:
            self._is_closed = True
        self.flush(timeout)
        with self._changed:
            self._is_ended = True
            rest = list(self._buffer.entries)
            self._settle(len(rest), {})
            self._changed.notify_all()
        for entry in rest:
            self.drop(entry.dropped("closed", "Its time was over before it was sent"))

    def _is_due(self) -> bool:
        buffer = self._buffer
        return (
            buffer.flush_to > buffer.settled or len(buffer.entries) >= buffer.batch or buffer.bytes >= _MOST_BYTES
        )

    def _next_batch(self) -> Sequence[_Entry]:
        """Waits until a request is due; nothing at the end, or when there was nothing to do for a while."""
        with self._changed:
            buffer = self._buffer
            while not self._is_ended:
                now = time.monotonic()
                due_at = now if self._is_due() or buffer.failures > 0 else buffer.first_at + _GATHER
                wait = max(due_at, buffer.not_before) - now
                if buffer.entries and wait <= 0:
                    return self._first()
                is_idle = not buffer.entries
                self._changed.wait(_IDLE if is_idle else wait)
                if is_idle and not buffer.entries and time.monotonic() >= now + _IDLE:
                    break
            # The next event starts another one.
            self._thread = None
            return ()

    def _first(self) -> Sequence[_Entry]:
        """The first ones that fit into a request; at least one."""
        first: List[_Entry] = []
        size = 0
        for entry in self._buffer.entries:
            size += len(entry.body) + 1
            if first and (size > _MOST_BYTES or len(first) >= self._buffer.batch):
                break
            first.append(entry)
        return first

    def _work(self) -> None:
        while True:
            batch = self._next_batch()
            if not batch:
                return
            outcome = self._server.post(batch)
            with self._changed:
                if self._is_ended:
                    return
                dropped, trouble = self._heed(batch, outcome)
            for each in dropped:
                self.drop(each)
            if trouble is not None:
                try:
                    self._on_trouble(trouble)
                except Exception:
                    _log.exception("on_trouble has raised")

    def _heed(self, batch: Sequence[_Entry], outcome: _Outcome) -> Tuple[List[Dropped], Optional[Trouble]]:
        """Handles the outcome of a request; returns what is to be reported."""
        buffer = self._buffer
        if isinstance(outcome, _Again):
            return [], self._rest(outcome)
        buffer.failures = 0
        if isinstance(outcome, _Stored):
            buffer.batch = min(buffer.batch * 2, _MOST_EVENTS)
            self._stored += len(batch)
            self._settle(len(batch), {})
            return [], None
        if isinstance(outcome, _TooMuch):
            if len(batch) > 1:
                buffer.batch = (len(batch) + 1) // 2
                return [], None
            outcome = _Refused({0: outcome.detail})
        faults = outcome.faults
        kept = {index: entry for index, entry in enumerate(batch) if index not in faults}
        self._settle(len(batch), kept)
        return [batch[index].dropped("refused", detail) for index, detail in sorted(faults.items())], None

    def _rest(self, outcome: _Again) -> Trouble:
        """Waits before a retry: exponential backoff with jitter."""
        buffer = self._buffer
        longest = min(_FIRST_WAIT * 2.0 ** min(buffer.failures, 20), _LONGEST_WAIT)
        if outcome.after is None:
            wait = longest / 2 * (1 + random.random())
        else:
            # The server's Retry-After, with jitter, as others have the same.
            wait = outcome.after + random.random() * _FIRST_WAIT
        buffer.failures += 1
        buffer.not_before = time.monotonic() + wait
        return Trouble(outcome.detail, outcome.status, wait, len(buffer.entries))

    def _settle(self, count: int, kept: Mapping[int, _Entry]) -> None:
        """Removes the first `count`, which are stored or dropped, except those to keep."""
        buffer = self._buffer
        for _ in range(count):
            buffer.bytes -= len(buffer.entries.popleft().body)
        for entry in reversed(list(kept.values())):
            buffer.entries.appendleft(entry)
            buffer.bytes += len(entry.body)
        buffer.settled += count - len(kept)
        buffer.first_at = time.monotonic()
        self._changed.notify_all()


# At the end of the program the rest is sent, and a forked process begins anew.
_deliveries: weakref.WeakSet[_Delivery] = weakref.WeakSet()


def _after_fork() -> None:
    for delivery in list(_deliveries):
        delivery.after_fork()


def _close_all() -> None:
    for delivery in list(_deliveries):
        delivery.close(5.0)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
atexit.register(_close_all)
