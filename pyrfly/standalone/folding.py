"""Simplification of C functions in which some expressions are known: what never runs goes."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["constant_of", "folded", "parts_of_function"]

_BEFORE = r"(?P<before>(?:^|[(!?:,]|(?<![=!<>])=|&&|\|\||\breturn\b|\{|;)\s*)"
_AFTER = r"(?=\s*(?:[)?:;,]|&&|\|\|))"
_COMPARED = re.compile(_BEFORE + r"(?P<a>\d+) (?P<op>==|!=|<|>) (?P<b>\d+)" + _AFTER)
_JOINED = re.compile(_BEFORE + r"(?P<a>[01])\s*(?P<op>&&|\|\|)\s*")
_CHOSEN = re.compile(_BEFORE + r"(?P<a>[01])\s*\?\s*")
_IN_BRACKETS = re.compile(
    r"(?<![\w)])(?<!if )(?<!for )(?<!while )(?<!switch )\((\d+)\)(?!\s*[\w(&*-])"
)
_CONDITION = re.compile(r"(?P<space>^[ \t]*|\belse )if \((?P<value>[01])\)\s*", re.MULTILINE)
_NEVER = re.compile(r"^[ \t]*for \([^;]*; 0(?: &&[^;]*)?; [^;)]*\)\s*", re.MULTILINE)
_KNOWN = re.compile(r"^[ \t]*const (?:int|lane_int|uint32_t) (\w+) = (\d+);\n", re.MULTILINE)


def parts_of_function(text: str) -> tuple[str, str]:
    """Return what stands before the body of a function, and its body with the brackets."""
    at = re.search(r"^\{$", text, re.MULTILINE)
    return ("", "") if at is None else (text[: at.start()], text[at.start() :])


def constant_of(text: str) -> str:
    """Return the whole number that a function always returns, or nothing."""
    _, body = parts_of_function(text)
    body = re.sub(r"\(void\)\w+[;,]|/\*.*?\*/", "", body, flags=re.DOTALL)
    match = re.fullmatch(r"\{\s*return ([01]);\s*\}", body)
    return match[1] if match else ""


def folded(text: str, calls: Mapping[str, str], values: Mapping[str, str]) -> str:
    """Return a function without what does not run.

    Parameters
    ----------
    text : str
        The function.
    calls : mapping of str to str
        Numbers that calls of functions return, by a pattern of the name and what follows.
    values : mapping of str to str
        Numbers that words stand for.
    """
    head, body = parts_of_function(text)
    if not body:
        return text
    before = None
    for word, value in values.items():
        if word.isupper() or word.startswith("RF_") or re.search(rf"\bint {word}\b", head):
            body = re.sub(rf"(?<![\w.])(?<!->){word}\b", value, body)
    while body != before:
        before = body
        body = _without_calls(body, calls)
        body = _simplified(body)
    return head + _used(head, body)


def _without_calls(body: str, calls: Mapping[str, str]) -> str:
    for name, value in calls.items():
        for match in reversed(list(re.finditer(name, body))):
            end = match.end()
            if body[end - 1] == "(":
                end = _closing(body, end - 1) + 1
            body = body[: match.start()] + value + body[end:]
    return body


def _simplified(body: str) -> str:
    body = re.sub(r"!([01])\b(?![.\w])", lambda m: str(1 - int(m[1])), body)
    body = _IN_BRACKETS.sub(r"\1", body)
    body = _COMPARED.sub(_compared, body)
    for match in _JOINED.finditer(body):
        is_and, first = match["op"] == "&&", match["a"] == "1"
        end = _end(body, match.end(), ("&&", "||", "?"))
        kept = body[match.end() : end] if is_and == first else match["a"]
        return body[: match.start()] + match["before"] + kept + body[end:]
    for match in _CHOSEN.finditer(body):
        middle = _end(body, match.end(), (":",))
        end = _end(body, middle + 1, ())
        kept = body[match.end() : middle] if match["a"] == "1" else body[middle + 1 : end]
        return body[: match.start()] + match["before"] + kept.strip() + body[end:]
    if condition := _CONDITION.search(body):
        return _decided(body, condition)
    if never := _NEVER.search(body):
        end = _statement(body, never.end())
        return body[: never.start()] + body[end:].lstrip("\n")
    if known := _KNOWN.search(body):
        word = rf"(?<![\w.])(?<!->){known[1]}\b"
        return body[: known.start()] + re.sub(word, known[2], body[known.end() :])
    return _ended(body)


def _compared(match: re.Match[str]) -> str:
    a, b = int(match["a"]), int(match["b"])
    holds = {"==": a == b, "!=": a != b, "<": a < b, ">": a > b}[match["op"]]
    return f"{match['before']}{int(holds)}"


def _closing(text: str, at: int) -> int:
    """Return where the bracket at a place is closed."""
    depth = 0
    for i in range(at, len(text)):
        depth += 1 if text[i] in "([{" else -1 if text[i] in ")]}" else 0
        if depth == 0:
            return i
    raise ValueError(f"no end of {text[at : at + 80]}")


def _end(text: str, at: int, stops: tuple[str, ...]) -> int:
    """Return the end of an expression that begins at a place."""
    depth = chosen = 0
    for i in range(at, len(text)):
        c = text[i]
        depth += 1 if c in "([{" else -1 if c in ")]}" else 0
        if depth < 0:
            return i
        if depth > 0:
            continue
        if c == "?" and "?" not in stops:
            chosen += 1
        elif c == ":" and chosen:
            chosen -= 1
        elif c in ";," or text.startswith(stops, i) or (c == ":" and not stops):
            return i
    return len(text)


def _statement(text: str, at: int) -> int:
    """Return the end of the statement at a place."""
    if text[at] == "{":
        return _closing(text, at) + 1
    if match := re.compile(r"(?:if|for|while) \(").match(text, at):
        end = _closing(text, match.end() - 1) + 1
        end = _statement(text, end + len(text[end:]) - len(text[end:].lstrip()))
        other = re.compile(r"\s*else\s*").match(text, end)
        return _statement(text, other.end()) if other and match[0][:2] == "if" else end
    depth = 0
    for i in range(at, len(text)):
        depth += 1 if text[i] in "([{" else -1 if text[i] in ")]}" else 0
        if text[i] == ";" and depth == 0:
            return i + 1
    raise ValueError(f"no end of {text[at : at + 80]}")


def _decided(body: str, match: re.Match[str]) -> str:
    """Return a body with an `if` of a known condition replaced by the branch that runs."""
    end = _statement(body, match.end())
    first = body[match.end() : end]
    other = re.compile(r"\s*else\s+").match(body, end)
    second, after = "", end
    if other is not None:
        after = _statement(body, other.end())
        second = body[other.end() : after]
    kept = first if match["value"] == "1" else second
    before, rest = body[: match.start()], body[after:]
    if match["space"] == "else ":
        if kept:
            return f"{before}else {kept}{rest}"
        return before.rstrip() + rest
    if not kept:
        return before + rest.lstrip(" ").removeprefix("\n")
    return before + match["space"] + _unwrapped(kept) + rest


def _unwrapped(block: str) -> str:
    """Return what is in a block, unless it declares something."""
    if not block.startswith("{"):
        return block
    inner = re.sub(r"^    ", "", block[1:-1].strip("\n").rstrip(), flags=re.MULTILINE)
    if re.search(r"^\s*(?:const )?\w+ \*?\w+(?: =|;|\[)", inner, re.MULTILINE):
        return block
    return inner.lstrip()


def _ended(body: str) -> str:
    """Return a body without what follows a return that is not in a block."""
    match = re.search(r"^    return\b[^;]*;\n", body, re.MULTILINE)
    if match is None or body[match.end() :].strip() == "}":
        return body
    lines = body[: match.start()].rstrip().split("\n")
    last = lines[-1].strip()
    if re.match(r"(?:if|for|while|else)\b", last) and not last.endswith((";", "}")):
        return body  # it is the statement of that line
    return body[: match.end()] + "}"


_DECLARED = re.compile(
    r"^(?P<type>[ \t]+(?:const )?[a-z]\w*) "
    r"(?P<list>\*?[a-z]\w*(?:\[[^;]*\])?(?:(?: =|,)[^;]*)?);\n",
    re.MULTILINE,
)


def _used(head: str, body: str) -> str:
    """Return a body without declarations that nothing uses; parameters without use are told."""
    before = None
    while body != before:
        before = body
        for match in _DECLARED.finditer(body):
            if match["type"].split()[-1] in ("return", "goto", "else"):
                continue
            each = _separated(match["list"])
            kept = [one for one in each if _uses(body, re.findall(r"\w+", one)[0]) > 1]
            if len(kept) < len(each):
                line = f"{match['type']} {', '.join(kept)};\n" if kept else ""
                body = body[: match.start()] + line + body[match.end() :]
                break
    body = re.sub(r"^[ \t]*\(void\)[^;]*;\n", "", body, flags=re.MULTILINE)
    unused = [name for name in _parameters(head) if not _uses(body, name)]
    told = "".join(f"    (void){name};\n" for name in unused)
    return body.replace("{\n", f"{{\n{told}", 1) if told else body


def _uses(body: str, name: str) -> int:
    """Return how often a variable is named."""
    return len(re.findall(rf"(?<![\w.])(?<!->){name}\b", re.sub(r"/\*.*?\*/", "", body)))


def _separated(text: str) -> list[str]:
    """Return the parts of a list that commas separate."""
    depth, start, found = 0, 0, []
    for i, c in enumerate(text):
        depth += 1 if c in "([{" else -1 if c in ")]}" else 0
        if c == "," and depth == 0:
            found.append(text[start:i].strip())
            start = i + 1
    return [*found, text[start:].strip()]


def _parameters(head: str) -> list[str]:
    """Return the names of the parameters of a function."""
    text = re.sub(r"/\*.*?\*/", "", head, flags=re.DOTALL).rstrip()
    depth, at = 0, len(text) - 1
    for i in range(len(text) - 1, -1, -1):
        depth += 1 if text[i] == ")" else -1 if text[i] == "(" else 0
        if depth == 0:
            at = i
            break
    inner = text[at + 1 : -1]
    found = []
    for one in re.split(r",(?![^(]*\))", inner):
        words = re.findall(r"\w+", re.sub(r"\[[^\]]*\]", "", one))
        if words and words != ["void"]:
            found.append(words[-1])
    return found
