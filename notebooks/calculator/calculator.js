// The form, the worker, and the answer on the page. Numbers stay text: the library reads them, and refuses them.

const element = (id) => document.getElementById(id);
const form = element("question");
const ARGUMENTS = { "@ARGUMENTS@": [] }; // of each goal: filled in from dpcalc.questions where the page is built
const FIELDS = ["goal", "n", "dropouts", "collected", "categories", "neighbours", "k", "rounds", "q", "epsilon", "delta"];

const CHANGED = "The question has changed: compute again.";
const MOST_LINES = 9, FAINT = 0.002; // lines of a curve; a delta that a line's width does not show

// shown: the answer on the page, with the text of its question and the lines of its curve. It is gone at the first edit.
let worker, ready = false, pending = null, shown = null, count = 0, timer;

// --- the worker ---------------------------------------------------------------------------------------------------

function launch() {
  ready = false;
  worker = new Worker("worker.js", { type: "module" });
  worker.onerror = (event) => { finish(); status(`The calculator could not be loaded: ${event.message}`); };
  worker.onmessage = ({ data }) => {
    if (data.ready) {
      ready = true;
      element("version").textContent = `dpcalc ${data.ready}`;
      navigator.serviceWorker?.register("service_worker.js"); // now, as it loads every file again
      if (pending) send(); else status("Ready.");
    } else if (data.broken) {
      finish();
      status(`The calculator could not be loaded: ${data.broken}`);
    } else if ("bounded" in data) {
      if (pending && data.id === pending.id && pending.task !== "curved") progress(data);
    } else if (pending && data.id === pending.id) {
      const { task, text } = pending;
      finish();
      SHOWN[task](data.answer, text);
      trace();
    }
  };
}

function send() {
  status("Computing ...");
  worker.postMessage(pending);
}

function finish() {
  clearInterval(timer);
  pending = null;
  element("ask").disabled = false;
  element("cancel").disabled = true;
  element("progress").hidden = true;
  element("progress").removeAttribute("value");
  element("done").textContent = "";
  form.removeAttribute("aria-busy");
}

// Beside the status, which a screen reader speaks: this changes too often.
function progress({ share, bounded }) {
  if (share > 0) element("progress").value = share;
  const settled = share > 0 ? `${Math.floor(100 * share)} % of all datasets settled` : "";
  const ranges = bounded > 0 ? `${bounded.toLocaleString("en")} ranges of datasets bounded` : "";
  element("done").textContent = [settled, ranges].filter(Boolean).join(", ");
}

function status(text) {
  element("status").textContent = text;
}

// --- the question -------------------------------------------------------------------------------------------------

function visible(name) {
  if (name === "categories" || name === "neighbours") return form.collected.value === "categories";
  return name === "goal" || name === "collected" || ARGUMENTS[form.goal.value].includes(name);
}

function arrange() {
  for (const name of FIELDS) element(name).closest(".field").hidden = !visible(name);
}

function question() {
  return Object.fromEntries(FIELDS.filter((name) => name !== "collected" && visible(name)).map((name) => [name, form[name].value.trim()]));
}

function ask() {
  if (busy()) return;
  complain();
  forget();
  history.replaceState(null, "", fragment());
  begin("answered", JSON.stringify(question()));
}

// A curve is drawn while nothing else is asked.
function busy() {
  return pending && pending.task !== "curved";
}

function begin(task, text) {
  if (busy()) return;
  pending = { id: ++count, task, text };
  element("ask").disabled = true;
  element("cancel").disabled = false;
  element("progress").hidden = false;
  form.setAttribute("aria-busy", "true");
  const start = Date.now();
  timer = setInterval(() => {
    const seconds = Math.floor((Date.now() - start) / 1000);
    const long = task === "certified" ? "a certificate of rounds or categories may take minutes" : "many rounds take longest";
    if (seconds >= 5 && ready) status(`Computing for ${seconds - (seconds % 5)} s; ${long}.`);
  }, 1000);
  if (ready) send(); else status("Loading the calculator ...");
}

// What the page says is about another question than the form.
function changed() {
  if (shown) status(CHANGED);
  forget();
}

function forget() {
  shown = null;
  element("answer").hidden = true;
  if (!busy()) pending = null;
}

function cancel() {
  worker.terminate();
  finish();
  launch();
  status("Cancelled.");
}

function fragment() {
  const shown = FIELDS.filter((name) => visible(name)).map((name) => [name, form[name].value.trim()]);
  return `#${new URLSearchParams(shown)}`;
}

function restore() {
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    if (FIELDS.includes(name)) form[name].value = value;
  }
  for (const name of ["goal", "collected", "neighbours"]) {
    if (form[name].selectedIndex < 0) form[name].selectedIndex = 0;
  }
  arrange();
}

// --- the answer ---------------------------------------------------------------------------------------------------

function complain(field, text = "") {
  for (const name of FIELDS) {
    element(name).removeAttribute("aria-invalid");
    if (element(`${name}-error`)) element(`${name}-error`).textContent = "";
  }
  element("form-error").textContent = "";
  if (!text) return;
  const place = field && element(`${field}-error`) && visible(field) ? field : "form";
  element(`${place}-error`).textContent = text;
  if (place === field) {
    element(field).setAttribute("aria-invalid", "true");
    element(field).focus();
  }
}

function refuse(answer) {
  element("answer").hidden = true;
  status("No answer.");
  complain(answer.field, answer.error);
}

function list(id, lines) {
  element(id).replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
}

function show(answer, text) {
  if (text !== JSON.stringify(question())) return status(CHANGED);
  if (answer.error) return refuse(answer);
  const asked = JSON.parse(text);
  shown = { text, mechanism: answer.mechanism, lines: [], traced: false };
  element("asked").textContent = `Asked: ${answer.asked}.`;
  element("recommendation").textContent = answer.recommendation;
  list("warnings", answer.warnings);
  const { sigma, ones, interval } = answer.accuracy;
  element("accuracy").textContent = `The estimated number of ${asked.categories ? "users in a category" : "yes answers"} has a standard deviation of ${sigma} users in each round. `
    + `If ${ones} users ${asked.categories ? "are in it" : "say yes"}, the 95 % interval is typically ${interval}.`;
  list("protects", answer.protects);
  list("assumed", answer.assumed);
  for (const id of ["command", "python"]) element(id).textContent = answer[id];
  element("lines").textContent = answer.lines.join("\n");
  element("attacker").hidden = true;
  element("link").href = location.hash;
  const content = JSON.stringify(answer.document, null, 2);
  element("download").href = link(content);
  element("answer").dataset.document = content;
  element("patience").hidden = !(asked.categories || asked.rounds !== "1");
  element("certificate").hidden = true;
  element("verdict").textContent = "";
  element("answer").hidden = false;
  status("Answered.");
  element("answer").focus({ preventScroll: false });
}

function link(text) {
  return `data:application/json;charset=utf-8,${encodeURIComponent(text)}`;
}

function offer(answer) {
  if (!shown) return status(CHANGED);
  status(answer.error ?? `The certificate is made${answer.note && ` (${answer.note})`}.`);
  if (answer.error) return;
  element("certificate").href = link(answer.certificate);
  element("certificate").hidden = false;
}

function judge(answer) {
  status(answer.holds ? "The certificate holds." : "The certificate is refused.");
  element("verdict").textContent = answer.text;
}

// --- the curve ----------------------------------------------------------------------------------------------------

// The next line of the mechanism's own trade-off curve, as long as there is something to be seen of it. delta at
// epsilon = 0 is about 0.4 standard deviations of the privacy loss: a line at every half of one.
function trace() {
  if (!shown || shown.traced || pending) return;
  const epsilon = (1.25 * shown.lines.length * (shown.lines[0]?.delta ?? 0)).toPrecision(3);
  pending = { id: ++count, task: "curved", text: JSON.stringify({ mechanism: shown.mechanism, epsilon }) };
  worker.postMessage(pending);
}

function bend(answer, text) {
  if (!answer.error) shown.lines.push({ delta: answer.delta, epsilon: Number(JSON.parse(text).epsilon) });
  shown.traced = Boolean(answer.error) || shown.lines.length === MOST_LINES || answer.delta < FAINT;
  element("attacker").setAttribute("aria-busy", String(!shown.traced));
  if (answer.error) return;
  if (shown.lines.length === 1) {
    element("picture-caption").textContent = "Whoever guesses a user's answer from the counts cannot get below the line; "
      + `blind guessing is the dashed one. No test brings the sum of both errors below ${answer.least} %; blind guessing has 100 %.`;
    element("attacker").hidden = false;
  }
  draw(shown.lines);
}

const SHOWN = { answered: show, certified: offer, checked: judge, curved: bend };

// Of every test with a share a of false alarms, at every epsilon: misses >= 1 - delta - e^epsilon a, and
// a >= 1 - delta - e^epsilon misses, as delta is the same in both directions.
function draw(lines) {
  const least = (a) => Math.max(0, ...lines.flatMap(({ epsilon, delta }) => {
    const growth = Math.exp(Math.min(epsilon, 700));
    return [1 - delta - growth * a, (1 - delta - a) / growth];
  }));
  const place = (a, misses) => `${(60 + 340 * a).toFixed(1)},${(20 + 260 * (1 - misses)).toFixed(1)}`;
  const points = Array.from({ length: 341 }, (_, i) => place(i / 340, least(i / 340))).join(" ");
  const svg = element("picture");
  svg.innerHTML = `<path class="axis" d="M60 20V280H400"/><polyline class="blind" points="${place(0, 1)} ${place(1, 0)}"/>`
    + `<polyline class="curve" points="${points}"/>`
    + `<text x="60" y="298" text-anchor="middle">0</text><text x="400" y="298" text-anchor="middle">1</text>`
    + `<text x="50" y="25" text-anchor="end">1</text><text x="50" y="284" text-anchor="end">0</text>`
    + `<text x="230" y="318" text-anchor="middle">share of false alarms</text>`
    + `<text transform="translate(22 150) rotate(-90)" text-anchor="middle">least share of misses</text>`;
}

// --- start --------------------------------------------------------------------------------------------------------

form.addEventListener("submit", (event) => { event.preventDefault(); ask(); });
for (const edit of ["input", "change"]) form.addEventListener(edit, () => { arrange(); changed(); });
element("cancel").addEventListener("click", cancel);
element("certify").addEventListener("click", () => begin("certified", shown.text));
element("check").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  event.target.value = ""; // the same file, changed, may come again
  if (file) begin("checked", await file.text());
});
window.addEventListener("hashchange", () => { if (location.hash !== fragment()) { restore(); changed(); } });
restore();
launch();
if (location.hash) ask();
