/* Everything works without this file; it writes times in the reader's zone and shows a file before it is sent. */
"use strict";

function localTimes() {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: "short", hour: "numeric" });
  for (const element of document.querySelectorAll("time[datetime]")) {
    const time = new Date(element.dateTime);
    if (Number.isNaN(time.getTime())) continue;
    const name = zone.formatToParts(time).find((part) => part.type === "timeZoneName");
    element.title = element.textContent;
    element.textContent = format.format(time) + (name ? " " + name.value : "");
  }
}

function glimpse(file, target) {
  if (!file) {
    target.hidden = true;
    return;
  }
  const size = file.size < 10000 ? file.size + " bytes" : Math.round(file.size / 1000) + " kB";
  if (/\.parquet$/i.test(file.name)) {
    target.textContent = file.name + ", " + size;
    target.hidden = false;
    return;
  }
  file.slice(0, 2000).text().then((text) => {
    const lines = text.split("\n").slice(0, 6);
    target.textContent = file.name + ", " + size + "\n" + lines.join("\n") + "\n…";
    target.hidden = false;
  });
}

function dropZones() {
  for (const zone of document.querySelectorAll("[data-drop]")) {
    const input = zone.querySelector("input[type=file]");
    const target = zone.querySelector("[data-glimpse]");
    const hint = zone.querySelector("[data-drop-hint]");
    if (hint) hint.hidden = false;
    input.addEventListener("change", () => target && glimpse(input.files[0], target));
    for (const name of ["dragover", "dragleave", "drop"]) {
      zone.addEventListener(name, (event) => {
        event.preventDefault();
        zone.classList.toggle("over", name === "dragover");
        if (name === "drop" && event.dataTransfer.files.length) {
          input.files = event.dataTransfer.files;
          input.dispatchEvent(new Event("change"));
        }
      });
    }
  }
}

localTimes();
dropZones();
