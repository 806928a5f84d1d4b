"""What a reader sees on a slow line: 150 ms for each round trip, 12 Mbit/s."""

import time

LATENCY, BITS = 150, 12_000_000

# Whether most of a visible page shows neither tiles nor its small picture, or nothing is where a page should be.
BLANK = """() => {
  const box = document.getElementById("stage").getBoundingClientRect();
  const overlap = (element) => {
    const other = element.getBoundingClientRect();
    const width = Math.min(other.right, box.right) - Math.max(other.left, box.left);
    const height = Math.min(other.bottom, box.bottom) - Math.max(other.top, box.top);
    return Math.max(0, width) * Math.max(0, height);
  };
  const sum = (elements) => elements.reduce((area, element) => area + overlap(element), 0);
  const pages = [...document.querySelectorAll(".page")].filter((page) => overlap(page) > 0);
  const widest = Math.max(0, ...pages.map((page) => page.getBoundingClientRect().width));
  // Gaps between pages are narrow.
  if (sum(pages) < 0.9 * Math.min(widest, box.width) * box.height) return true;
  return pages.some((page) => {
    const coarse = page.querySelector("img.coarse");
    if (coarse?.complete && coarse.naturalWidth > 0) return false;
    return sum([...page.querySelectorAll("canvas")]) < 0.5 * overlap(page);
  });
}"""

# Jumps to a page, and resolves to the milliseconds until it is there and not blank.
JUMP = """async (number) => {
  const start = performance.now(), isBlank = %s;
  recto.places.jump({ number });
  while (recto.stage.scene.current !== number || isBlank()) {
    if (performance.now() - start > 20000) return -1;
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - start;
}""" % BLANK

# Changes the layout, and resolves to the milliseconds until no visible page is blank.
CHANGE = """async (mode) => {
  const [start, select] = [performance.now(), document.getElementById("mode")];
  select.value = mode;
  select.dispatchEvent(new Event("change"));
  const isBlank = %s;
  while (recto.stage.layout.mode !== mode || isBlank()) {
    if (performance.now() - start > 20000) return -1;
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - start;
}""" % BLANK


def emulate(page):
    """Makes the line of a page of Playwright's slow."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    rate = BITS / 8
    conditions = {"offline": False, "latency": LATENCY, "downloadThroughput": rate, "uploadThroughput": rate}
    session.send("Network.emulateNetworkConditions", conditions)


def wheel(page, velocity, steps, interval=0.1):
    """Turns the wheel, and counts the steps after which a visible page is blank."""
    page.page.mouse.move(400, 400)
    blank, last = 0, time.time() - interval
    for _ in range(steps):
        start = time.time()
        # Turning the wheel and looking take longer than the interval on a busy machine.
        page.page.mouse.wheel(0, velocity * (start - last))
        last = start
        time.sleep(max(0, start + interval - time.time()))
        blank += page.page.evaluate(BLANK)
    return blank


def measure(page, address):
    """Prints the steps of reading and of scrolling fast that show a blank page, and the time until something is seen."""
    emulate(page.page)
    start = time.time()
    page.open(address)
    print(f"slow line: first page complete after {1000 * (time.time() - start):.0f} ms")
    for name, velocity in (("reading", 1000), ("3,000 px/s", 3000)):
        page.settle()
        print(f"slow line, {name}: {wheel(page, velocity, 60)} of 60 steps of the wheel show a blank page")
    for mode in ("grid", "continuous", "grid"):
        page.settle()
        page.page.wait_for_timeout(1000)
        time_of_change = page.page.evaluate(CHANGE, mode)
        print(f"slow line, change to {mode}: every page is seen after {time_of_change:.0f} ms")
    for name, velocity in (("reading", 1000), ("3,000 px/s", 3000)):
        page.settle()
        print(f"slow line, grid, {name}: {wheel(page, velocity, 60)} of 60 steps of the wheel show a blank page")
    page.settle()
    page.select("mode", "continuous")
    page.settle()
    times = []
    for number in (7000, 12_345, 3000, 9000, 15_000, 500):
        page.page.wait_for_timeout(1000)
        times.append(page.page.evaluate(JUMP, number))
        page.settle()
    print(f"slow line, jump: something is seen after {', '.join(f'{time:.0f}' for time in sorted(times))} ms")
