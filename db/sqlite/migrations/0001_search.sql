CREATE VIRTUAL TABLE `message_search` USING fts5(`content`, content='messages', content_rowid='position', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE VIRTUAL TABLE `conversation_search` USING fts5(`id`, `title`, content='conversations', content_rowid='position', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TRIGGER `message_said` AFTER INSERT ON `messages` BEGIN
	INSERT INTO `message_search` (`rowid`, `content`) VALUES (new.`position`, new.`content`);
END;
--> statement-breakpoint
CREATE TRIGGER `conversation_began` AFTER INSERT ON `conversations` BEGIN
	INSERT INTO `conversation_search` (`rowid`, `id`, `title`) VALUES (new.`position`, new.`id`, new.`title`);
END;
--> statement-breakpoint
CREATE TRIGGER `conversation_titled` AFTER UPDATE OF `title` ON `conversations` WHEN new.`title` IS NOT old.`title` BEGIN
	INSERT INTO `conversation_search` (`conversation_search`, `rowid`, `id`, `title`) VALUES ('delete', old.`position`, old.`id`, old.`title`);
	INSERT INTO `conversation_search` (`rowid`, `id`, `title`) VALUES (new.`position`, new.`id`, new.`title`);
END;
