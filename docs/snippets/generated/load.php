<?php
// Finds the generated classes beside this file, and Guzzle where Debian puts it.
error_reporting(-1);
ini_set('display_errors', 'stderr');
require '/usr/share/php/GuzzleHttp/autoload.php';
spl_autoload_register(function (string $name): void {
    $file = __DIR__ . '/lib/' . str_replace('\\', '/', substr($name, strlen('Fiscal\\'))) . '.php';
    if (str_starts_with($name, 'Fiscal\\') && is_file($file)) {
        require $file;
    }
});
