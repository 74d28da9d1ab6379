// The form, the worker, and the answer on the page. Numbers stay text: the library reads them, and refuses them.

const element = (id) => document.getElementById(id);
const form = element("question");
const TARGETS = { "least-q": ["epsilon", "delta"], epsilon: ["q", "delta"], delta: ["q", "epsilon"], "least-n": ["q", "epsilon", "delta"], "most-rounds": ["q", "epsilon", "delta"] };
const FIELDS = ["goal", "n", "collected", "categories", "neighbours", "k", "rounds", "q", "epsilon", "delta"];

let worker, ready = false, pending = null, count = 0, timer;

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
      if (pending) progress(data);
    } else if (pending && data.id === pending.id) {
      const { task, text } = pending;
      finish();
      if (task === "answered" && data.answer.error) refuse(data.answer);
      else SHOWN[task](data.answer, text);
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
  const goal = form.goal.value;
  if (name === "n") return goal !== "least-n";
  if (name === "rounds") return goal !== "most-rounds";
  if (name === "categories" || name === "neighbours") return form.collected.value === "categories";
  return !["q", "epsilon", "delta"].includes(name) || TARGETS[goal].includes(name);
}

function arrange() {
  for (const name of FIELDS) element(name).closest(".field").hidden = !visible(name);
}

function question() {
  return Object.fromEntries(FIELDS.filter((name) => name !== "collected" && visible(name)).map((name) => [name, form[name].value.trim()]));
}

function ask() {
  if (pending) return;
  complain();
  history.replaceState(null, "", fragment());
  begin("answered", JSON.stringify(question()));
}

function begin(task, text) {
  if (pending) return;
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
  const asked = JSON.parse(text);
  element("recommendation").textContent = answer.recommendation;
  const { sigma, ones, interval } = answer.accuracy;
  element("accuracy").textContent = `The estimated number of ${asked.categories ? "users in a category" : "yes answers"} has a standard deviation of ${sigma} users in each round. `
    + `If ${ones} users ${asked.categories ? "are in it" : "say yes"}, the 95 % interval is typically ${interval}.`;
  list("protects", answer.protects);
  list("assumed", answer.assumed);
  for (const id of ["command", "python"]) element(id).textContent = answer[id];
  element("lines").textContent = answer.lines.join("\n");
  draw(answer.promise);
  element("link").href = location.hash;
  const shown = JSON.stringify(answer.document, null, 2);
  element("download").href = link(shown);
  element("answer").dataset.document = shown;
  element("answer").dataset.question = text;
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
  status(answer.error ?? `The certificate is made${answer.note && ` (${answer.note})`}.`);
  if (answer.error) return;
  element("certificate").href = link(answer.certificate);
  element("certificate").hidden = false;
}

function judge(answer) {
  status(answer.holds ? "The certificate holds." : "The certificate is refused.");
  element("verdict").textContent = answer.text;
}

const SHOWN = { answered: show, certified: offer, checked: judge };

// Misses >= max(0, 1 - delta - e^epsilon a, e^-epsilon (1 - delta - a)) for a share a of false alarms: what
// (epsilon, delta) says of every test. Three straight lines.
function draw({ epsilon, delta }) {
  const growth = Math.exp(Math.min(epsilon, 700));
  const least = (a) => Math.max(0, 1 - delta - growth * a, (1 - delta - a) / growth);
  const corner = (1 - delta) / (1 + growth);
  const place = (a, misses) => `${(60 + 340 * a).toFixed(1)},${(20 + 260 * (1 - misses)).toFixed(1)}`;
  const points = [0, corner, 1 - delta, 1].map((a) => place(a, least(a))).join(" ");
  const svg = element("picture");
  svg.innerHTML = `<path class="axis" d="M60 20V280H400"/><polyline class="blind" points="${place(0, 1)} ${place(1, 0)}"/>`
    + `<polyline class="curve" points="${points}"/>`
    + `<text x="60" y="298" text-anchor="middle">0</text><text x="400" y="298" text-anchor="middle">1</text>`
    + `<text x="50" y="25" text-anchor="end">1</text><text x="50" y="284" text-anchor="end">0</text>`
    + `<text x="230" y="318" text-anchor="middle">share of false alarms</text>`
    + `<text transform="translate(22 150) rotate(-90)" text-anchor="middle">least share of misses</text>`;
  const gain = Math.ceil(1000 * (1 - 2 * corner)) / 10;
  element("picture-caption").textContent = "Whoever guesses a user's answer from the counts cannot get below the line; "
    + `blind guessing is the dashed one. At best the sum of both errors falls from 100 % to ${(100 - gain).toFixed(1)} %.`;
}

// --- start --------------------------------------------------------------------------------------------------------

form.addEventListener("submit", (event) => { event.preventDefault(); ask(); });
form.addEventListener("change", arrange);
element("cancel").addEventListener("click", cancel);
element("certify").addEventListener("click", () => begin("certified", element("answer").dataset.question));
element("check").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  event.target.value = ""; // the same file, changed, may come again
  if (file) begin("checked", await file.text());
});
window.addEventListener("hashchange", () => { if (location.hash !== fragment()) restore(); });
restore();
launch();
if (location.hash) ask();
