const steps: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowLeft: (index, count) => (index + count - 1) % count,
  ArrowRight: (index, count) => (index + 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * Makes the buttons of an element the tabs of the page: one is open, the address names it (`#pool`, with more after a slash), and the arrow keys go
 * from one to the next (WAI-ARIA tabs pattern).
 *
 * `opened` is told the button's id; the function given back opens what the address names, and may be called again.
 */
export function pageTabs(list: HTMLElement, panel: HTMLElement, opened: (id: string) => void): () => void {
  const tabs = [...list.querySelectorAll<HTMLElement>("[role=tab]")];
  // Some views have nothing inside that could be focused.
  panel.tabIndex = 0;
  const openAddressed = () => {
    const [view] = location.hash.slice(1).split("/");
    const open = tabs.find(({ id }) => id === view) ?? tabs[0]!;
    for (const tab of tabs) {
      tab.ariaSelected = String(tab === open);
      tab.tabIndex = tab === open ? 0 : -1;
    }
    panel.setAttribute("aria-labelledby", open.id);
    opened(open.id);
  };
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener("click", () => {
      location.hash = tab.id;
    });
    tab.addEventListener("keydown", (event) => {
      const next = tabs[steps[event.key]?.(index, tabs.length) ?? index]!;
      if (next === tab) return;
      event.preventDefault();
      next.focus();
      next.click();
    });
  }
  return openAddressed;
}
