/** Whether a host is this machine by its loopback interface, so that nothing from outside can reach it. */
export function isLoopback(host: string): boolean {
  if (host === "localhost" || host === "::1") return true;
  const parts = /^127\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(host);
  return parts?.slice(1).every((part) => Number(part) <= 255) ?? false;
}
