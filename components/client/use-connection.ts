"use client";

import { useEffect, useState } from "react";
import { type Connection, subscribeLive } from "./live.ts";

/** The state of the connection to the server. */
export function useConnection(): Connection {
  const [connection, setConnection] = useState<Connection>("connecting");
  // The outside system is the stream.
  useEffect(() => subscribeLive({}, { onConnection: setConnection }), []);
  return connection;
}
