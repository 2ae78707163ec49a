-- The rows of conversations tell how their newest run ended, and what nobody has answered: see lib/session/summary.ts.
SELECT 1;
