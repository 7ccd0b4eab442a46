import { connect } from "node:net";

/** Returns whether a process listens on a Unix socket. Throws the error of the system when the socket may not be used. */
export const isSocketLive = (path: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" || error.code === "ENOENT") resolve(false);
      else reject(error);
    });
  });
