// What a program that npm runs has to know about npm.
import process from "node:process";

/**
 * Stops this process when npm has been killed, as if it had received SIGTERM. npm passes on every signal but SIGKILL. `script` is the npm
 * script that runs this process.
 */
export function stopWithNpm(script) {
  if (process.env.npm_lifecycle_event !== script) return;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, 1000).unref();
}
