/** "Bokför" needs "Läser": ticking the one ticks the other. The server sees to it without script. */
const writes = document.querySelector('input[name=scopes][value="ledger:write"]');
const reads = document.querySelector('input[name=scopes][value="data:read"]');
const tickBoth = () => {
  if (writes.checked) reads.checked = true;
};
writes?.addEventListener('change', tickBoth);
// Ticked before this came.
if (writes) tickBoth();
reads?.addEventListener('change', () => {
  if (!reads.checked) writes.checked = false;
});
