// Python in a worker: the page never freezes, and a question is cancelled by ending the worker.
import { loadPyodide } from "./pyodide.mjs";
import { deltas } from "./sums.js";

async function bytes(name) {
  const found = await fetch(name);
  if (!found.ok) throw new Error(`${name}: ${found.status}`);
  return found.arrayBuffer();
}

// A copy of Python's array of doubles.
function doubles(array) {
  const buffer = array.getBuffer("f64");
  try {
    return buffer.data.slice();
  } finally {
    buffer.release();
  }
}

let told = 0, asked = 0; // when, and by which question

// Ten times a second at most.
function tell(share, bounded) {
  if (Date.now() - told < 100) return;
  told = Date.now();
  self.postMessage({ id: asked, share, bounded });
}

async function start() {
  const wheels = (await (await fetch("wheels.json")).json()).map(async (name) => [name, await bytes(name)]);
  const [python, source] = await Promise.all([
    loadPyodide({ indexURL: new URL(".", self.location.href).href }),
    fetch("answers.py").then((found) => found.text()),
    ...wheels,
  ]);
  for (const wheel of wheels) {
    const [name, content] = await wheel;
    await python.unpackArchive(content, "wheel", { filename: name });
  }
  python.FS.writeFile("answers.py", source);
  const answers = python.pyimport("answers");
  answers.quicken((...arrays) => deltas(...arrays.map(doubles)), tell);
  self.postMessage({ ready: python.pyimport("dpcalc.version").__version__ });
  return answers;
}

const answers = start();
answers.catch((error) => self.postMessage({ broken: String(error) }));

self.onmessage = async ({ data }) => {
  try {
    const python = await answers;
    asked = data.id;
    self.postMessage({ id: data.id, answer: JSON.parse(python[data.task](data.text)) });
  } catch (error) {
    self.postMessage({ id: data.id, answer: { error: `The calculator failed: ${String(error).trim().split("\n").pop()}`, field: "" } });
  }
};
