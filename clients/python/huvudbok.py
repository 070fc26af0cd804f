"""A client for the API of Huvudbok: one file, the standard library alone, Python 3.9 and newer.

    books = Huvudbok("https://books.example.com", os.environ["HUVUDBOK_KEY"])
    voucher = books.post("/api/v1/verifikat", {...}, idempotency_key="shop-fee-2026-03")
    for voucher in books.each("/api/v1/verifikat", **{"from": "2026-01-01"}): ...
    for voucher in books.export_vouchers(): ...

What may be sent again is sent again, as long as it can help: after no answer, 429, ``idempotency_in_progress`` and
5xx, and never after any other refusal. Writes carry an Idempotency-Key, so what is sent twice is done once; give
your own, made of what the call is about, so that a program that was killed can send it again too.

Amounts are read as ``decimal.Decimal``, in whole kronor as ``int``, and written from both: kronor never pass through
binary fractions, as long as whole kronor are divided as ``Decimal(amount)``.
"""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from decimal import Decimal
from typing import Any, Callable, Iterator, Optional

__all__ = ["Huvudbok", "HuvudbokError"]

_EXPORT = "/api/v1/export/verifikatrader"


class HuvudbokError(Exception):
    """A refusal, as the API said it. Branch on ``code``; the message is Swedish, for people."""

    def __init__(self, status: int, body: dict):
        super().__init__(body.get("message") or f"HTTP {status}")
        self.status = status
        self.code = body.get("error", "unknown")
        self.detail = body.get("detail") or {}
        self.request_id = body.get("request_id")
        self.retry_after: Optional[float] = None

    @property
    def may_retry(self) -> bool:
        """Whether the very same call may succeed later."""
        return self.status >= 500 or self.status == 429 or self.code == "idempotency_in_progress"


class _Amounts(json.JSONEncoder):
    """A Decimal as the number it is: 199.9 and not "199.9", and never 199.89999999999998."""

    def iterencode(self, value: Any, _one_shot: bool = False) -> Iterator[str]:
        marks: dict[str, str] = {}

        def marked(part: Any) -> Any:
            if isinstance(part, Decimal):
                if not part.is_finite():
                    raise ValueError(f"{part} is no amount")
                mark = f"decimal:{uuid.uuid4()}"
                marks[f'"{mark}"'] = format(part, "f")
                return mark
            if isinstance(part, dict):
                return {name: marked(one) for name, one in part.items()}
            if isinstance(part, (list, tuple)):
                return [marked(one) for one in part]
            return part

        text = "".join(super().iterencode(marked(value), _one_shot))
        for mark, number in marks.items():
            text = text.replace(mark, number)
        yield text


class Huvudbok:
    """One installation, by one key.

    :param retries: how many times a call is sent again at most; 6 are about half a minute
    :param wait_max: the longest that it waits for a quota, in seconds; one that opens later is an error at once
    :param timeout: the longest that the installation may be silent, in seconds
    """

    def __init__(self, url: str, key: str, retries: int = 6, wait_max: float = 60, timeout: float = 30):
        if not key:
            raise ValueError("A key is needed: huvudbok key create, or Inställningar → API-nycklar.")
        self._url = url.rstrip("/")
        self._key = key
        self._retries = retries
        self._wait_max = wait_max
        self._timeout = timeout

    def get(self, path: str, **query: Any) -> Any:
        """Several of one kind as a list: ``books.get("/api/v1/konton", id=[1930, 3001])``."""
        return self._send("GET", path, query)

    def file(self, path: str, **query: Any) -> bytes:
        """A file, byte for byte: ``books.file(f"/api/v1/underlag/{id}")``."""
        return self._send("GET", path, query, headers={"Accept": "*/*"}, is_file=True)

    def post(
        self,
        path: str,
        body: Any,
        idempotency_key: Optional[str] = None,
        content_type: Optional[str] = None,
        **query: Any,
    ) -> Any:
        """Bytes and text are sent as they are, anything else as JSON."""
        is_raw = isinstance(body, (bytes, str))
        content = body.encode() if isinstance(body, str) else body
        if not is_raw:
            content = "".join(_Amounts(ensure_ascii=False).iterencode(body)).encode()
        headers = {
            "content-type": content_type or ("application/octet-stream" if is_raw else "application/json"),
            "idempotency-key": idempotency_key or str(uuid.uuid4()),
        }
        return self._send("POST", path, query, content, headers)

    def each(self, path: str, **query: Any) -> Iterator[Any]:
        """All that a list has, page after page."""
        while True:
            page = self.get(path, **query)
            yield from page["data"]
            if not page["has_more"] or page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    def export_vouchers(self, on_begin: Optional[Callable[[dict], None]] = None, **query: Any) -> Iterator[dict]:
        """Every voucher of one moment, each once.

        What breaks off goes on where it broke, out of the same moment: a loop that ends has had them all, and one that
        cannot go on raises. ``on_begin`` hears of the moment before the first voucher comes.
        """
        place: dict = {}
        attempt = 0
        while True:
            try:
                for line in self._lines({**query, **place, "format": "ndjson"}):
                    if "begin" in line:
                        if on_begin and "snapshot" not in place:
                            on_begin(line["begin"])
                        place["snapshot"] = line["begin"]["snapshot"]
                    elif "end" in line:
                        return
                    elif "error" in line:
                        raise HuvudbokError(line["status"], line)
                    else:
                        yield line
                        place["after"] = line["id"]
                        attempt = 0
                fault: Exception = ConnectionError("The export broke off.")
            except HuvudbokError as refusal:
                fault = refusal
            except (OSError, http.client.HTTPException) as silence:
                fault = silence
            wait = self._wait(attempt, getattr(fault, "retry_after", None))
            may_retry = fault.may_retry if isinstance(fault, HuvudbokError) else True
            if not may_retry or attempt >= self._retries or wait > self._wait_max:
                raise fault
            time.sleep(wait)
            attempt += 1

    def _wait(self, attempt: int, said: Optional[float]) -> float:
        """No sooner than was said, and ever longer: an installation that says one second each time may need half a minute."""
        return max(said or 0, min(0.5 * 2**attempt * random.uniform(0.5, 1.5), self._wait_max))

    def _lines(self, query: dict) -> Iterator[dict]:
        try:
            with urllib.request.urlopen(self._request("GET", _EXPORT, query), timeout=self._timeout) as response:
                for line in response:
                    # The last piece of a line that broke off is none.
                    if line.endswith(b"\n"):
                        yield json.loads(line, parse_float=Decimal)
        except urllib.error.HTTPError as answer:
            raise _refusal(answer) from None

    def _request(
        self, method: str, path: str, query: dict, content: Optional[bytes] = None, headers: Optional[dict] = None
    ) -> urllib.request.Request:
        given = {name: value for name, value in query.items() if value is not None}
        address = self._url + path + ("?" + urllib.parse.urlencode(given, doseq=True) if given else "")
        request = urllib.request.Request(address, data=content, method=method, headers=headers or {})
        # Not handed on to wherever a redirect may lead.
        request.add_unredirected_header("Authorization", f"Bearer {self._key}")
        if not request.has_header("Accept"):
            request.add_header("Accept", "application/json")
        return request

    def _send(
        self,
        method: str,
        path: str,
        query: dict,
        content: Optional[bytes] = None,
        headers: Optional[dict] = None,
        is_file: bool = False,
    ) -> Any:
        request = self._request(method, path, query, content, headers)
        attempt = 0
        while True:
            try:
                return self._answer(request, is_file)
            except HuvudbokError as refusal:
                fault: Exception = refusal
                may_retry = refusal.may_retry
            except (OSError, http.client.HTTPException) as silence:
                fault, may_retry = silence, True
            wait = self._wait(attempt, getattr(fault, "retry_after", None))
            if not may_retry or attempt >= self._retries or wait > self._wait_max:
                raise fault
            attempt += 1
            time.sleep(wait)

    def _answer(self, request: urllib.request.Request, is_file: bool) -> Any:
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as response:
                content = _content(response)
                return content if is_file else _read(response.headers.get_content_type(), content)
        except urllib.error.HTTPError as answer:
            raise _refusal(answer) from None


def _content(answer: Any) -> bytes:
    """All of it: an answer that is cut off is none, and one that says no length and has no byte was cut in its headers."""
    says_its_end = answer.length is not None or answer.chunked
    content = answer.read()
    if not content and not says_its_end:
        raise http.client.IncompleteRead(content)
    return content


def _read(kind: str, content: bytes) -> Any:
    if kind == "application/json":
        return json.loads(content, parse_float=Decimal)
    return content.decode() if kind.startswith("text/") or "ndjson" in kind else content


def _refusal(answer: urllib.error.HTTPError) -> HuvudbokError:
    """Something between us and the installation may have answered in a form of its own."""
    try:
        body = json.loads(_content(answer))
    except ValueError:
        body = {}
    refusal = HuvudbokError(answer.code, body if isinstance(body, dict) else {})
    seconds = answer.headers.get("Retry-After") or ""
    # A date, as something between us may write it, is none of ours.
    refusal.retry_after = float(seconds) if seconds.isascii() and seconds.isdigit() else None
    return refusal
