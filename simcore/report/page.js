"use strict";
(() => {
  // Sorting: by the key of each cell, numbers as numbers; what has no key stays at the end.
  const compare = (a, b) => {
    if (a === "" || b === "") return 0;
    const x = Number(a), y = Number(b);
    return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, "en", { numeric: true }) : x - y;
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => {
        const first = head.classList.contains("number") ? "descending" : "ascending";
        const now = head.getAttribute("aria-sort");
        const order = now === null ? first : now === "ascending" ? "descending" : "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", order);
        const sign = order === "ascending" ? 1 : -1;
        const body = table.tBodies[0];
        const rows = [...body.rows].map((row) => [row.cells[column].dataset.key, row]);
        rows.sort(([a], [b]) => (a === "") - (b === "") || sign * compare(a, b));
        body.append(...rows.map(([, row]) => row));
      });
    });
  }

  // Searching: rows that hold all the words.
  for (const input of document.querySelectorAll("input[data-table]")) {
    const rows = [...document.getElementById(input.dataset.table).tBodies[0].rows];
    const texts = rows.map((row) => [...row.cells].map((cell) => cell.textContent).join(" ").toLowerCase());
    const status = input.parentElement.querySelector("[role=status]");
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let found = 0;
      rows.forEach((row, i) => {
        row.hidden = !wanted.every((word) => texts[i].includes(word));
        found += !row.hidden;
      });
      status.textContent = wanted.length ? `${found} of ${rows.length} rows` : `${rows.length} rows`;
    });
  }

  // Plots, drawn anew when the page changes between light and dark.
  const themes = JSON.parse(document.getElementById("themes").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const draw = () => Promise.all([...document.querySelectorAll("[data-specification]")].map(async (element) => {
    const spec = JSON.parse(document.getElementById(element.dataset.specification).textContent);
    const config = themes[dark.matches ? "dark" : "light"];
    await window.vegaEmbed(element, spec, { actions: false, renderer: "svg", config, tooltip: { theme: dark.matches ? "dark" : "light" } });
  }));
  const show = () => draw().then(
    () => { document.documentElement.dataset.state = "drawn"; },
    (error) => { document.documentElement.dataset.state = "failed"; console.error(error); },
  );
  dark.addEventListener("change", show);
  show();
})();
